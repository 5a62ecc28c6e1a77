// Package dashtest evaluates the dashboard of deploy/ as Grafana would: with the
// PromQL engine of Prometheus, on metrics scraped from a daemon that delivers,
// fails and gives up. The alert rules have tests of their own, which promtool
// runs.
//
// It is a module of its own outside go.work, because Prometheus would take part in
// the selection of everybody's versions: run make dashboard.
package dashtest

// Package dashtest evaluates the dashboard and the alert rules of deploy/ as
// Grafana and Prometheus would: with the PromQL engine of Prometheus, on metrics
// scraped from a daemon that delivers, fails and gives up.
//
// It is a module of its own outside go.work, because Prometheus would take part in
// the selection of everybody's versions: run make dashboard.
package dashtest

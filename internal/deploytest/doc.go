// Package deploytest checks the files under deploy with the programs that read
// them, or with their own parsers: Kubernetes' published schemas, systemd,
// Compose and BuildKit. It is a module of its own so that these stay out of the
// library's dependencies.
//
// That the files agree with the daemon's configuration is tested beside it, in
// cmd/internal/daemon/config.
package deploytest

package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
)

// machine is what the figures depend on in addition to the code.
type machine struct {
	CPU      string            `json:"cpu"`
	Cores    int               `json:"cores"`
	Memory   string            `json:"memory"`
	System   string            `json:"system"`
	Go       string            `json:"go"`
	Server   string            `json:"server"`
	Settings map[string]string `json:"settings"`
	Versions map[string]string `json:"versions"`
}

// serverSettings are those that a benchmark must report.
var serverSettings = []string{
	"fsync", "synchronous_commit", "full_page_writes", "wal_level", "autovacuum",
	"shared_buffers", "max_wal_size", "checkpoint_timeout",
}

// lookAround describes the machine and the server, and refuses a server whose
// figures would mean nothing.
func lookAround(ctx context.Context, e *env) (machine, error) {
	m := machine{
		CPU: field("/proc/cpuinfo", "model name"), Cores: runtime.NumCPU(), Memory: field("/proc/meminfo", "MemTotal"),
		System: runtime.GOOS + "/" + runtime.GOARCH, Go: runtime.Version(),
		Settings: map[string]string{}, Versions: peerVersions(),
	}
	if release, err := os.ReadFile("/proc/sys/kernel/osrelease"); err == nil {
		m.System += ", kernel " + strings.TrimSpace(string(release))
	}
	if err := e.admin.QueryRow(ctx, "SHOW server_version").Scan(&m.Server); err != nil {
		return m, err
	}
	for _, name := range serverSettings {
		var value string
		if err := e.admin.QueryRow(ctx, "SELECT current_setting($1)", name).Scan(&value); err != nil {
			return m, err
		}
		m.Settings[name] = value
	}
	for _, name := range []string{"fsync", "synchronous_commit", "autovacuum"} {
		if m.Settings[name] != "on" {
			return m, fmt.Errorf("the server has %s = %s: switch it on, or the figures are not those of a production server", name, m.Settings[name])
		}
	}
	return m, nil
}

// field is a value of a file of lines such as "name : value".
func field(path, name string) string {
	file, err := os.Open(path)
	if err != nil {
		return "unknown"
	}
	defer func() { _ = file.Close() }()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if key, value, ok := strings.Cut(lines.Text(), ":"); ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return "unknown"
}

// peerVersions are those of the modules that are measured.
func peerVersions() map[string]string {
	versions := map[string]string{}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return versions
	}
	for _, m := range info.Deps {
		switch m.Path {
		case "github.com/riverqueue/river", "github.com/oagudo/outbox", "github.com/ThreeDotsLabs/watermill-sql/v4",
			"github.com/jackc/pgx/v5", "modernc.org/sqlite",
			"github.com/twmb/franz-go", "github.com/rabbitmq/amqp091-go", "github.com/nats-io/nats.go", "github.com/redis/go-redis/v9":
			versions[m.Path] = m.Version
		}
	}
	return versions
}

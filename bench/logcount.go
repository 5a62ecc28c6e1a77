package main

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
)

// logCount counts what a library logs as a warning or an error, instead of
// printing it, and keeps the first one. Debug and info lines are disabled.
type logCount struct {
	mu    sync.Mutex
	n     int
	first string
}

func (l *logCount) logger() *slog.Logger { return slog.New(l) }

// Enabled implements [slog.Handler].
func (l *logCount) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelWarn }

// Handle implements [slog.Handler].
func (l *logCount) Handle(_ context.Context, r slog.Record) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.n++
	if l.n == 1 {
		l.first = r.Message
		r.Attrs(func(a slog.Attr) bool {
			if a.Key == "error" || a.Key == "err" {
				l.first += ": " + a.Value.String()
			}
			return true
		})
	}
	return nil
}

// WithAttrs implements [slog.Handler].
func (l *logCount) WithAttrs([]slog.Attr) slog.Handler { return l }

// WithGroup implements [slog.Handler].
func (l *logCount) WithGroup(string) slog.Handler { return l }

// String is empty if nothing was logged.
func (l *logCount) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.n == 0 {
		return ""
	}
	return fmt.Sprintf("%d warnings, the first: %s", l.n, l.first)
}

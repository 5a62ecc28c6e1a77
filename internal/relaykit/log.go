package relaykit

import (
	"context"
	"log/slog"
	"strings"
)

// QuietLog drops everything, except that it panics on a bug of the relay.
func QuietLog() *slog.Logger { return slog.New(mistakes{slog.DiscardHandler}) }

type mistakes struct{ slog.Handler }

func (mistakes) Enabled(_ context.Context, l slog.Level) bool { return l >= slog.LevelError }

func (mistakes) Handle(_ context.Context, rec slog.Record) error {
	if strings.Contains(rec.Message, "please report this") {
		text := rec.Message
		rec.Attrs(func(a slog.Attr) bool { text += " " + a.String(); return true })
		panic(text)
	}
	return nil
}

func (h mistakes) WithAttrs([]slog.Attr) slog.Handler { return h }
func (h mistakes) WithGroup(string) slog.Handler      { return h }

package kafkasink

import (
	"context"
	"log/slog"

	"github.com/twmb/franz-go/pkg/kgo"
)

// logger forwards the client's messages. Those of level info are many, so they
// become debug.
type logger struct{ l *slog.Logger }

func (l logger) Level() kgo.LogLevel {
	if l.l.Enabled(context.Background(), slog.LevelDebug) {
		return kgo.LogLevelInfo
	}
	return kgo.LogLevelWarn
}

func (l logger) Log(level kgo.LogLevel, msg string, keyvals ...any) {
	at := slog.LevelDebug
	switch level {
	case kgo.LogLevelError:
		at = slog.LevelError
	case kgo.LogLevelWarn:
		at = slog.LevelWarn
	}
	l.l.Log(context.Background(), at, "kafkasink: "+msg, keyvals...)
}

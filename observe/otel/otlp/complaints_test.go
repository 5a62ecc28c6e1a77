package otlp_test

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	api "go.opentelemetry.io/otel"

	"github.com/sendoff-go/outbox/observe/otel/otlp"
)

func TestAnOutageOfTheCollectorIsALineAMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		p, err := otlp.Start(t.Context(), otlp.Config{NoTraces: true, NoMetrics: true, Logger: slog.New(slog.NewTextHandler(&out, nil))})
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			api.Handle(errors.New("refused"))
		}
		if got := out.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, "failures=1 error=refused") {
			t.Errorf("three failures gave:\n%s", got)
		}
		<-time.After(time.Minute)
		api.Handle(errors.New("refused"))
		if got := out.String(); strings.Count(got, "\n") != 2 || !strings.Contains(got, "failures=3 error=refused") {
			t.Errorf("a minute later there is:\n%s", got)
		}
		if err := p.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

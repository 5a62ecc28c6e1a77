package daemon

import (
	"crypto/tls"
	"log/slog"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox/cmd/internal/daemon/config"
)

// configured is the configuration of a sender's sink.
func configured(s *config.Sender) any {
	var secure *tls.Config
	if s.TLS.Enabled {
		secure = &tls.Config{}
	}
	log := (*slog.Logger)(nil)
	return map[string]func() any{
		"kafka":     func() any { return kafkaConfig(s, secure, log) },
		"rabbit_mq": func() any { return rabbitConfig(s, secure, log) },
		"nats":      func() any { return natsConfig(s, secure, log) },
		"redis":     func() any { return redisConfig(s, secure, log) },
		"hazelcast": func() any { return hazelcastConfig(s, secure, log) },
		"http":      func() any { return httpConfig(s, secure, log) },
		"log":       func() any { return logConfig(s, secure, log) },
	}[s.Type]()
}

// set gives every key a value; with other, another one.
func set(t *testing.T, v reflect.Value, f reflect.StructField, other bool) {
	t.Helper()
	text := "a"
	if enum := strings.Split(f.Tag.Get("enum"), ","); enum[0] != "" {
		text = enum[0]
		if other {
			text = enum[1]
		}
	} else if other {
		text = "b"
	}
	number := map[bool]int64{false: 7, true: 8}[other]
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Bool:
		v.SetBool(other)
	case reflect.Int, reflect.Int64:
		v.SetInt(number)
	case reflect.Slice:
		v.Set(reflect.ValueOf([]string{text}))
	case reflect.Map:
		v.Set(reflect.ValueOf(map[string]string{text: text}))
	case reflect.Struct:
		v.Set(reflect.ValueOf(config.TLS{Enabled: other}))
	default:
		t.Fatalf("no value for %s", f.Name)
	}
}

func TestEveryKeyOfASenderReachesItsSink(t *testing.T) {
	fields := reflect.VisibleFields(reflect.TypeFor[config.Sender]())
	for kind := range openers {
		sender := func(changed string) *config.Sender {
			s := &config.Sender{}
			for _, f := range fields {
				set(t, reflect.ValueOf(s).Elem().FieldByIndex(f.Index), f, f.Name == changed)
			}
			s.Type = kind
			return s
		}
		base := configured(sender(""))
		for _, f := range fields {
			has := slices.Contains(strings.Split(f.Tag.Get("for"), ","), kind)
			if reached := !reflect.DeepEqual(configured(sender(f.Name)), base); has && !reached {
				t.Errorf("%s of a %s sender has no effect", f.Tag.Get("yaml"), kind)
			}
		}
	}
}

package certhint_test

import (
	"crypto/x509"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox/sink/internal/certhint"
)

func TestAHintNamesTheSettingToChange(t *testing.T) {
	for want, err := range map[string]error{
		"broker's certificate in RootCAs": x509.UnknownAuthorityError{},
		"set ServerName":                  x509.HostnameError{Certificate: &x509.Certificate{}, Host: "other"},
	} {
		if got := certhint.Of(fmt.Errorf("dial: %w", err), "broker"); !strings.Contains(got, want) {
			t.Errorf("%v: %q, expected %q in it", err, got, want)
		}
	}
	if got := certhint.Of(errors.New("connection refused"), "broker"); got != "" {
		t.Errorf("a hint for another error: %q", got)
	}
}

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
		"set Certificates":                errors.New("remote error: tls: certificate required"),
		"or a different one":              errors.New("remote error: tls: bad certificate"),
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

func TestAHintIsAddedWhereThereIsOne(t *testing.T) {
	plain, known := errors.New("connection refused"), errors.New("tls: bad certificate")
	if got := certhint.Add(plain, "broker", ""); got != plain { //nolint:errorlint // it is unchanged
		t.Errorf("got %v", got)
	}
	for _, err := range []error{certhint.Add(plain, "broker", "look"), certhint.Add(known, "broker", "look")} {
		if !strings.HasSuffix(err.Error(), ": look") {
			t.Errorf("got %v", err)
		}
	}
	if got := certhint.Add(known, "broker", ""); !errors.Is(got, known) || !strings.Contains(got.Error(), "cert-file") {
		t.Errorf("got %v", got)
	}
}

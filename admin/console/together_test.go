package console

import (
	"errors"
	"net/http"
	"testing"
)

func TestCallsSideBySideReturnTheFirstErrorInOrder(t *testing.T) {
	first, second := errors.New("first"), errors.New("second")
	began := make(chan struct{})
	err := together(
		func() error {
			<-began // ends only beside the next
			return first
		},
		func() error {
			close(began)
			return second
		},
		func() error { return nil })
	if !errors.Is(err, first) {
		t.Errorf("error %v, want %v", err, first)
	}
	if err := together(func() error { return nil }); err != nil {
		t.Errorf("error %v of calls that succeed", err)
	}
}

func TestAPanicOfACallReachesItsCaller(t *testing.T) {
	defer func() {
		if v := recover(); v != http.ErrAbortHandler { //nolint:errorlint // the same value
			t.Errorf("recovered %v, want %v", v, http.ErrAbortHandler)
		}
	}()
	_ = together(func() error { panic(http.ErrAbortHandler) }, func() error { return nil }) // it panics
}

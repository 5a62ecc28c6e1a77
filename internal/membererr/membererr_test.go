package membererr_test

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/sendoff-go/outbox/internal/membererr"
)

func TestTheStackTraceOfAMemberIsCut(t *testing.T) {
	short := fmt.Errorf("closed: %w", io.EOF)
	if got := membererr.Brief(short); !errors.Is(got, io.EOF) {
		t.Errorf("an error of one line became %v", got)
	}
	long := errors.New("operation failed:\ncom.hazelcast.QueryException: no such attribute\n\tat com.hazelcast.Query\n\tat java.lang")
	if got, want := membererr.Brief(long).Error(), "operation failed: com.hazelcast.QueryException: no such attribute"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestOneOfSeveralErrorsIsFound(t *testing.T) {
	all := []error{io.EOF, io.ErrClosedPipe}
	if !membererr.IsAny(fmt.Errorf("lost: %w", io.ErrClosedPipe), all) || membererr.IsAny(io.ErrNoProgress, all) {
		t.Errorf("expected the second of them, and no other")
	}
}

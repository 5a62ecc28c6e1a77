package hazelcaststore

import (
	"errors"
	"fmt"
	"strings"

	"github.com/hazelcast/hazelcast-go-client/hzerrors"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// refused are the answers of a member that a repetition would get again.
var refused = []error{
	hzerrors.ErrAccessControl, hzerrors.ErrSecurity, hzerrors.ErrIllegalArgument, hzerrors.ErrUnsupportedOperation,
	hzerrors.ErrHazelcastSerialization, hzerrors.ErrConfigMismatch, hzerrors.ErrInvalidConfiguration, hzerrors.ErrMaxMessageSizeExceeded,
	hzerrors.ErrQuery, hzerrors.ErrClassCast,
}

// own are errors that already say what they mean.
var own = []error{outbox.ErrStoreDown, outbox.ErrCommitUnknown, outbox.ErrDuplicateID, outbox.ErrNoTransaction, errRefused}

// errRefused marks errors that are the caller's.
var errRefused = errors.New("hazelcaststore: refused")

// classify returns an error as callers of a store expect it: whatever is not
// known to be refused means that the cluster gave no answer.
func classify(err error) error {
	var locked *driver.LockedError
	switch {
	case err == nil, among(err, own), errors.As(err, &locked):
		return err
	case among(err, refused):
		return fmt.Errorf("hazelcaststore: the cluster refuses the call: %w", shown(err))
	}
	return fmt.Errorf("%w: hazelcaststore: %w", outbox.ErrStoreDown, shown(err))
}

func down(err error) bool {
	return errors.Is(err, outbox.ErrStoreDown) || errors.Is(err, outbox.ErrCommitUnknown)
}

func among(err error, all []error) bool {
	for _, e := range all {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

// shown is an error without the stack trace of the member.
func shown(err error) error {
	text, trace, cut := strings.Cut(err.Error(), "\n")
	if !cut {
		return err
	}
	what, _, _ := strings.Cut(trace, "\n")
	return errors.New(text + " " + what)
}

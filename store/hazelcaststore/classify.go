package hazelcaststore

import (
	"errors"
	"fmt"

	"github.com/hazelcast/hazelcast-go-client/hzerrors"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/membererr"
)

// refused are the answers of a member that a repetition would get again.
var refused = []error{
	hzerrors.ErrAccessControl, hzerrors.ErrSecurity, hzerrors.ErrIllegalArgument, hzerrors.ErrUnsupportedOperation,
	hzerrors.ErrHazelcastSerialization, hzerrors.ErrConfigMismatch, hzerrors.ErrInvalidConfiguration, hzerrors.ErrMaxMessageSizeExceeded,
	hzerrors.ErrQuery, hzerrors.ErrClassCast,
}

// own are errors that already say what they mean.
var own = []error{outbox.ErrStoreDown, outbox.ErrCommitUnknown, outbox.ErrDuplicateID, outbox.ErrNoTransaction, errTooLate}

// classify returns an error as callers of a store expect it: whatever is not
// known to be refused means that the cluster gave no answer.
func classify(err error) error {
	var locked *driver.LockedError
	switch {
	case err == nil, membererr.IsAny(err, own), errors.As(err, &locked):
		return err
	case membererr.IsAny(err, refused):
		return fmt.Errorf("hazelcaststore: the cluster refuses the call: %w", membererr.Brief(err))
	}
	return fmt.Errorf("%w: hazelcaststore: %w", outbox.ErrStoreDown, membererr.Brief(err))
}

func down(err error) bool {
	return errors.Is(err, outbox.ErrStoreDown) || errors.Is(err, outbox.ErrCommitUnknown)
}

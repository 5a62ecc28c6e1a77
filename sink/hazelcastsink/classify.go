package hazelcastsink

import (
	"errors"
	"fmt"
	"strings"

	"github.com/hazelcast/hazelcast-go-client/hzerrors"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/membererr"
	"github.com/sendoff-go/outbox/sink/internal/certhint"
)

// refused are the answers with which a member says that it did not even try,
// because of the messages or their topic.
var refused = []error{
	hzerrors.ErrAccessControl, hzerrors.ErrSecurity, hzerrors.ErrIllegalArgument, hzerrors.ErrUnsupportedOperation,
	hzerrors.ErrHazelcastSerialization, hzerrors.ErrConfigMismatch, hzerrors.ErrInvalidConfiguration, hzerrors.ErrMaxMessageSizeExceeded,
}

// overloaded are those that are about the cluster.
var overloaded = []error{
	hzerrors.ErrSplitBrainProtection, hzerrors.ErrHazelcastOverLoad, hzerrors.ErrTopicOverload, hzerrors.ErrRejectedExecution,
	hzerrors.ErrHazelcastInstanceNotActive,
}

// classify returns the outcome of a request, which the cluster may have got if
// it was sent.
func classify(topic string, err error, sent bool) error {
	name := driver.DestinationName(topic)
	switch {
	case err == nil || errors.Is(err, errFull):
		return err
	case membererr.IsAny(err, refused):
		return fmt.Errorf("hazelcastsink: the cluster refuses topic %q: %w", name, shown(err, topic))
	case !sent, membererr.IsAny(err, overloaded):
		return outbox.Unavailable(fmt.Errorf("hazelcastsink: topic %q: %w", name, shown(err, topic)))
	}
	return outbox.Unavailable(driver.Uncertain(fmt.Errorf("hazelcastsink: topic %q: %w", name, shown(err, topic))))
}

// shown is an error without the stack trace of the member, and without the
// secrets of the topic's name.
func shown(err error, topic string) error {
	return driver.DestinationError(membererr.Brief(err), topic)
}

// explain adds advice to a connection error.
func explain(err error) error {
	var hint string
	if strings.Contains(err.Error(), "invalid credentials") {
		hint = "check the cluster's name, the user and the password"
	}
	return certhint.Add(err, "member", hint)
}

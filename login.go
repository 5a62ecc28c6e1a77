package outbox

// ErrStoreLogin: the database answers but refuses the user, the password or the
// database name. Unlike an outage this does not pass by itself, so a relay that
// gets it at its first contact gives up. It is also an [ErrStoreDown]: nothing
// was executed.
var ErrStoreLogin error = storeLogin{}

type storeLogin struct{}

func (storeLogin) Error() string {
	return "outbox: the database refuses the login: check user, password and database name"
}

func (storeLogin) Is(target error) bool { return target == ErrStoreDown } //nolint:errorlint // this is what errors.Is asks

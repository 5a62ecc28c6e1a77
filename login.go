package outbox

// ErrStoreLogin: the database is there and refuses the user, the password or the
// name of the database. Unlike an outage this does not pass by itself, so a relay
// that meets it at its first contact gives up. It is an [ErrStoreDown], too:
// nothing was carried out.
var ErrStoreLogin error = storeLogin{}

type storeLogin struct{}

func (storeLogin) Error() string {
	return "outbox: the database refuses the login: check user, password and database name"
}

func (storeLogin) Is(target error) bool { return target == ErrStoreDown } //nolint:errorlint // this is what errors.Is asks

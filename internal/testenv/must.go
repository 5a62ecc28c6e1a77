package testenv

// Must returns v. It panics on an error, for tests that expect none.
func Must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

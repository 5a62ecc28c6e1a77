package testenv

// Must is v. It panics on an error, which in a test that has no reason to expect
// one is as good as a failure.
func Must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

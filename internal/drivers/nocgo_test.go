//go:build !cgo

package drivers_test

import "testing"

func TestStoreWithMattn(t *testing.T) {
	t.Skip("github.com/mattn/go-sqlite3 is C code: install a C compiler and set CGO_ENABLED=1")
}

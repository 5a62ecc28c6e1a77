package mysqlstore_test

import (
	"testing"

	"github.com/sendoff-go/outbox/internal/testenv"
)

// The connections are the application's, with its own settings. The laws hold
// under those that change what a driver sends, counts and returns.
func TestStoreWithOtherSettings(t *testing.T) {
	settings := []string{
		"interpolateParams", "true",
		"clientFoundRows", "true",
		"multiStatements", "true",
		"parseTime", "true",
		"loc", "Asia/Kolkata",
		"time_zone", "'-07:00'",
		"sql_mode", "'ANSI,NO_BACKSLASH_ESCAPES,STRICT_ALL_TABLES'",
	}
	for _, server := range []string{testenv.MySQL80, testenv.MariaDB} {
		t.Run(server, func(t *testing.T) { testLaws(t, server, settings...) })
	}
}

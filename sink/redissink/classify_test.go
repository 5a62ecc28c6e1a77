package redissink

import (
	"errors"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"
)

// answer is an error from the server.
type answer string

func (a answer) Error() string { return string(a) }
func (answer) RedisError()     {}

func TestNoAnswerShowsTheSecretsOfAStream(t *testing.T) {
	const stream = "https://me:p4ss@host/p4ss"
	for _, err := range []error{
		redis.Nil, errors.New("no route"), answer("LOADING"), answer("WRONGTYPE of " + stream), answer("NOPERM for " + stream), answer("ERR " + stream),
	} {
		if got := classify(stream, err); got == nil || strings.Contains(got.Error(), "p4ss") {
			t.Errorf("%v is shown as %v", err, got)
		}
	}
}

package rabbitsink

import (
	"strings"
	"testing"

	amqp "github.com/rabbitmq/amqp091-go"
)

func TestNoRefusalShowsTheSecretsOfAnExchange(t *testing.T) {
	const exchange = "https://me:p4ss@host/p4ss"
	for code, reason := range map[int]string{
		amqp.NotFound:      "NOT_FOUND - no exchange '" + exchange + "' in vhost '/'",
		amqp.AccessRefused: "ACCESS_REFUSED - write access to exchange '" + exchange + "' in vhost '/' refused for user 'u'",
	} {
		b := &sending{conn: &conn{}, parcels: []parcel{{exchange: exchange, key: "orders"}}, errs: make([]error, 1), unheard: make([]bool, 1)}
		b.blame(&amqp.Error{Code: code, Reason: reason, Server: true}, []int{0}, 1)
		if err := b.errs[0]; err == nil || strings.Contains(err.Error(), "p4ss") {
			t.Errorf("%s is shown as %v", reason, err)
		}
	}
}

package hazelcastsink

import (
	"testing"

	"github.com/hazelcast/hazelcast-go-client"
)

func TestASessionLastsWhileItsClientIsConnected(t *testing.T) {
	l := newLink(Config{})
	defer l.close()
	wants := func(what string, client *hazelcast.Client) {
		t.Helper()
		if got := l.session; (got == nil) != (client == nil) || got != nil && got.client != client {
			t.Errorf("%s: session %+v", what, got)
		}
	}
	first, second := &hazelcast.Client{}, &hazelcast.Client{}
	one, other := &clientLog{}, &clientLog{}
	l.replace(nil, one)
	l.tell(one, true)
	wants("connected, and its start has not returned", nil)
	l.replace(first, one)
	wants("connected", first)
	session, said := l.session, l.said
	l.tell(one, false)
	wants("disconnected", nil)
	if session.ctx.Err() == nil {
		t.Error("the session has not ended")
	}
	l.assume(said)
	wants("disconnected after it had answered", nil)
	l.assume(l.said)
	wants("answered, without having said that it is connected", first)
	l.replace(nil, other)
	wants("given up", nil)
	l.tell(one, true)
	wants("a client that was given up says that it is connected", nil)
	l.tell(other, true)
	l.replace(second, other)
	wants("another client", second)
}

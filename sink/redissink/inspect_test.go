package redissink

import (
	"strings"
	"testing"
)

func TestAKeyThatIsNoStreamIsNamed(t *testing.T) {
	client := dial(t)
	stream := newStream(t, client)
	other := stream + "-text"
	if err := client.Set(t.Context(), other, "x", 0).Err(); err != nil {
		t.Fatal(err)
	}
	defer client.Del(t.Context(), other)
	for _, c := range []struct {
		key     string
		require bool
		want    string
	}{{stream, true, ""}, {stream + "-not", false, ""}, {stream + "-not", true, "does not exist"}, {other, false, "holds a string and no stream"}} {
		s := open(t, Config{URL: address(t).String(), RequireStream: c.require})
		err := s.Inspect(t.Context(), c.key)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, expected %q", c.key, err, c.want)
		}
	}
}

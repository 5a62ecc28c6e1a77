package inbox_test

import (
	"context"
	"errors"
	"net/netip"
	"strings"
	"testing"

	"github.com/oklog/ulid/v2"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/inbox"
	"github.com/sendoff-go/outbox/store/memstore"
)

type (
	namedString string
	namedBytes  []byte
	plainUUID   [16]byte
)

func TestAnIDIsMadeOfTextBytesAndUUIDs(t *testing.T) {
	uuid := [16]byte{0x9d, 0x0f, 0x6a, 0x1c, 0x6f, 0x0e, 0x4a, 0x53, 0x9b, 0x5c, 0x0f, 0x8d, 0x5d, 0x1f, 0x6f, 0x11}
	const text = "9d0f6a1c-6f0e-4a53-9b5c-0f8d5d1f6f11"
	of := ulid.MustParse("01ARZ3NDEKTSV4RRFFQ69G5FAV")
	for name, tt := range map[string]struct {
		v    any
		want string
	}{
		"a string":                      {"Order:1", "Order:1"},
		"a type of strings":             {namedString("a"), "a"},
		"bytes of text":                 {[]byte("abc"), "abc"},
		"sixteen bytes of text":         {[]byte("0123456789abcdef"), "0123456789abcdef"},
		"the text of a UUID as bytes":   {[]byte(text), text},
		"the text of a UUID stays":      {strings.ToUpper(text), strings.ToUpper(text)},
		"sixteen bytes that are a UUID": {uuid[:], text},
		"a type of bytes":               {namedBytes(uuid[:]), text},
		"a UUID":                        {uuid, text},
		"a type of UUIDs":               {plainUUID(uuid), text},
		"a ULID":                        {of, of.String()},
		"what says what it is":          {netip.MustParseAddr("::1"), "::1"},
		"36 characters":                 {strings.Repeat("x", 36), strings.Repeat("x", 36)},
	} {
		if got, err := inbox.ID(tt.v); err != nil || got != tt.want {
			t.Errorf("%s: %q, error %v, expected %q", name, got, err, tt.want)
		}
	}
}

func TestWhatIsNoIDIsRefused(t *testing.T) {
	var noULID *ulid.ULID
	for name, tt := range map[string]struct {
		v    any
		says string
	}{
		"nil":                        {nil, "missing"},
		"a nil pointer":              {noULID, "nil"},
		"no text":                    {"", "missing"},
		"no bytes":                   {[]byte{}, "missing"},
		"nil bytes":                  {[]byte(nil), "missing"},
		"37 characters":              {strings.Repeat("x", 37), "at most 36"},
		"a space":                    {"a b", "byte 0x20 at 1"},
		"a line end":                 {"a\n", "byte 0x0a at 1"},
		"other letters":              {"ä", "only printable ASCII"},
		"bytes that are neither":     {[]byte{1, 2, 3}, "byte 0x01"},
		"a UUID of zeros":            {[16]byte{}, "zeros"},
		"sixteen zeros":              {make([]byte, 16), "zeros"},
		"a ULID of zeros":            {ulid.ULID{}, "zeros"},
		"a number":                   {42, "int"},
		"an array of another length": {[4]byte{1}, "[4]uint8"},
	} {
		if got, err := inbox.ID(tt.v); !errors.Is(err, outbox.ErrInvalidID) || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: %q, error %v, expected ErrInvalidID that says %q", name, got, err, tt.says)
		}
	}
}

func FuzzID(f *testing.F) {
	f.Add([]byte("abc"))
	f.Add(make([]byte, 16))
	f.Fuzz(func(t *testing.T, b []byte) {
		id, err := inbox.ID(b)
		if (err == nil) != (driver.CheckConsumed("g", id) == nil) {
			t.Errorf("%x: %q, error %v", b, id, err)
		}
		if again, err := inbox.ID(b); err == nil && again != id {
			t.Errorf("%x: %q and %q", b, id, again)
		}
	})
}

func TestAMessageWithoutAnIDFailsAndConsumesNothing(t *testing.T) {
	r := newRig(t, inbox.Config{})
	never := func(context.Context, *memstore.Tx, []outbox.Received) error {
		t.Error("the handler was called")
		return nil
	}
	for _, bad := range []outbox.Received{{}, {EventID: "a b"}, {EventID: strings.Repeat("x", 37)}} {
		err := r.ConsumeBatch(t.Context(), append(received("a", "b"), bad), never)
		var which *inbox.MessageError
		if !errors.Is(err, outbox.ErrInvalidID) || !errors.As(err, &which) || which.Index != 2 {
			t.Errorf("error %v, expected ErrInvalidID of message 2", err)
		}
		r.told.expect(t, map[string]int{"failed": 3})
	}
	if ran := r.consume(t, nil, "a", "b"); len(ran) != 2 {
		t.Errorf("the handler got %v after that", ran)
	}
	tx, err := r.store.BeginTx(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.ConsumeIn(t.Context(), tx, outbox.Received{}); !errors.Is(err, outbox.ErrInvalidID) {
		t.Errorf("error %v, expected ErrInvalidID", err)
	}
}

func TestTheIDMayStandInTheHeader(t *testing.T) {
	r := newRig(t, inbox.Config{})
	r.consume(t, nil, "a")
	err := r.Consume(t.Context(), outbox.Received{Headers: map[string]string{outbox.HeaderEventID: "a"}}, func(context.Context, *memstore.Tx) error {
		t.Error("taken for another event")
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestAnExtractorFindsTheID(t *testing.T) {
	errNone := errors.New("no such field")
	r := newRig(t, inbox.Config{EventID: func(m outbox.Received) (any, error) {
		if len(m.Payload) == 0 {
			return nil, errNone
		}
		return m.Payload, nil
	}})
	var got []string
	note := func(_ context.Context, _ *memstore.Tx, fresh []outbox.Received) error {
		for _, m := range fresh {
			got = append(got, m.EventID)
		}
		return nil
	}
	for range 2 {
		if err := r.ConsumeBatch(t.Context(), []outbox.Received{{EventID: "other", Payload: []byte("a")}, {Payload: []byte("b")}}, note); err != nil {
			t.Fatal(err)
		}
	}
	if strings.Join(got, " ") != "a b" {
		t.Errorf("the handler got %v", got)
	}
	if err := r.ConsumeBatch(t.Context(), []outbox.Received{{}}, note); !errors.Is(err, errNone) {
		t.Errorf("error %v, expected the extractor's", err)
	}
}

package sinktest

import (
	"bytes"

	"github.com/sendoff-go/outbox"
)

func exactLaws() []Law {
	return []Law{
		{
			Name:  "bytes arrive byte for byte",
			Why:   "signatures and binary formats do not survive a reformatted or re-encoded payload",
			Check: check(exactBytes),
		},
		{
			Name:  "the largest payload arrives",
			Why:   "a client whose limit is below the server's refuses what the server would accept",
			Check: check(largestPayload),
		},
	}
}

func exactBytes(k *kit) {
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	var es []outbox.Event
	for _, text := range []string{
		`{}`, `null`, `""`, ` {"b": 1, "a" :2.0,"a":1e400} `, "{\n\t\"x\": \"\\u00e9é\"\r\n}", `"😀 \ud83d\ude00 & <b>"`,
	} {
		e := event("json")
		e.JSON = []byte(text)
		es = append(es, e)
	}
	for _, b := range [][]byte{
		{}, {0}, []byte("\r\n"), []byte("a\x00b\n\n"), {0xff, 0xfe, 0xc3, 0x28}, all, bytes.Repeat(all, 40), {0x1f, 0x8b, 8, 0},
	} {
		e := event("bytes")
		e.JSON, e.Bytes = nil, b
		es = append(es, e)
	}
	ms := k.messages(es...)
	k.send(ms)
	k.exactly(ms)
}

func largestPayload(k *kit) {
	ms := k.messages(withPayload(k.MaxPayload), event("after"))
	k.send(ms)
	k.exactly(ms)
}

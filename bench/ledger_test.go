package main

import "testing"

func TestTheLedgerFindsWhatIsLostAndWhatIsDoubled(t *testing.T) {
	l := newLedger(6)
	for _, n := range []int{0, 1, 1, 1, 3, 99} {
		l.got(n)
	}
	// Of the first five, 2 and 4 never came; 1 came twice too often, and 99 is
	// no event at all.
	if lost, doubled := l.audit(5); lost != 2 || doubled != 3 {
		t.Errorf("lost %d, doubled %d, want 2 and 3", lost, doubled)
	}
	other := newLedger(6)
	if events := other.add(l.counts()); events != 3 {
		t.Errorf("%d events were sent over, want 3", events)
	}
	other.got(4)
	if lost, doubled := other.audit(5); lost != 1 || doubled != 2 {
		t.Errorf("after the transfer: lost %d, doubled %d, want 1 and 2", lost, doubled)
	}
}

func TestPayloadsHaveTheirSizeAndTheirNumber(t *testing.T) {
	for _, n := range []int{0, 7, 1234567} {
		text := payload(n)
		if len(text) != payloadSize {
			t.Errorf("the payload of %d has %d bytes, want %d", n, len(text), payloadSize)
		}
		if got := number([]byte(text)); got != n {
			t.Errorf("number = %d, want %d", got, n)
		}
	}
	if number([]byte("{}")) != -1 || number([]byte(`{"m":"abcdefgh"}`)) != -1 {
		t.Error("a payload without a number must not have one")
	}
}

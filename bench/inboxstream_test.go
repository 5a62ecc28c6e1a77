package main

import "testing"

func TestEveryOtherDeliveryIsOneOfBefore(t *testing.T) {
	d := deliveries{n: 5_001, twice: true}
	times := map[int]int{}
	old := 0
	for i := range d.n {
		n := d.event(i)
		if got := consumedNumber(consumedID(n)); got != n {
			t.Fatalf("the id of %d is that of %d", n, got)
		}
		if times[n]++; times[n] > 1 || n < 0 {
			old++
		}
	}
	for n := range d.fresh() {
		if times[n] == 0 {
			t.Fatalf("event %d is never delivered", n)
		}
	}
	if old != d.n/2 {
		t.Errorf("%d of %d deliveries are old, want half of them", old, d.n)
	}
}

func TestWithoutRedeliveriesEveryEventIsNew(t *testing.T) {
	d := deliveries{n: 100}
	for i := range d.n {
		if d.event(i) != i {
			t.Fatalf("delivery %d is of event %d", i, d.event(i))
		}
	}
	if d.fresh() != 100 {
		t.Errorf("%d are fresh, want 100", d.fresh())
	}
}

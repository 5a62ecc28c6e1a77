package main

import "testing"

func TestTheShareThatTheHostTookIsCounted(t *testing.T) {
	before := parseProcessorTime("cpu  100 0 50 800 10 0 5 35 7 0\n")
	after := parseProcessorTime("cpu  150 0 60 820 10 0 5 55 9 0\n")
	s := sample{Values: map[metric]float64{}}
	after.since(before, &s)
	if got := s.Values[stolen]; got != 0.2 {
		t.Errorf("%g of 100 ticks, 20 of them stolen", got)
	}
}

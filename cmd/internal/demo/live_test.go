package demo

import (
	"os"
	"os/signal"
	"testing"
)

func TestOnlyTheSecondSignalEndsTheWait(t *testing.T) {
	// As the caller of Live does, for the first one.
	first := make(chan os.Signal, 1)
	signal.Notify(first, os.Interrupt)
	defer signal.Stop(first)
	second := make(chan struct{})
	defer secondSignal(func() { close(second) })()
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	if err := self.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	<-first
	select {
	case <-second:
		t.Fatal("the first signal ends the wait")
	default:
	}
	if err := self.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	<-second
}

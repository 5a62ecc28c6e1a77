package admin

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

func TestABucketIsFullAgainAfterItsTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &buckets{size: 6, per: time.Minute}
		for i := range 6 {
			if wait := b.take("a"); wait != 0 {
				t.Fatalf("the %d. waits %s", i+1, wait)
			}
		}
		if take, wait := b.take("a"), b.wait("a"); take != 10*time.Second || wait != take {
			t.Errorf("an empty one waits %s and %s, want 10s", take, wait)
		}
		if wait := b.take("b"); wait != 0 {
			t.Errorf("another waits %s", wait)
		}
		<-time.After(10 * time.Second)
		if take, again := b.take("a"), b.take("a"); take != 0 || again != 10*time.Second {
			t.Errorf("10s later it waits %s, and then %s", take, again)
		}
	})
}

func TestBucketsForgetWhoIsIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &buckets{size: 6, per: time.Minute}
		for i := range 100 {
			b.take(fmt.Sprint(i))
		}
		<-time.After(59 * time.Second)
		if b.take("99"); len(b.all) != 100 {
			t.Errorf("%d are left after 59s", len(b.all))
		}
		<-time.After(time.Second)
		if b.take("100"); len(b.all) != 2 || b.order.Len() != 2 {
			t.Errorf("%d are left, want the one in use and the new one", len(b.all))
		}
	})
}

func TestBucketsAreBoundedInNumber(t *testing.T) {
	b := &buckets{size: 1, per: time.Hour}
	for i := range 2 * maxNames {
		b.take(fmt.Sprint(i))
	}
	if len(b.all) != maxNames || b.order.Len() != maxNames || b.wait(fmt.Sprint(2*maxNames-1)) == 0 || b.wait("0") != 0 {
		t.Errorf("%d buckets, want the latest %d", len(b.all), maxNames)
	}
}

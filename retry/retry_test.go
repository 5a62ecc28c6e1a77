package retry_test

import (
	"math"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/retry"
)

const year = 365 * 24 * time.Hour

func TestTheDefaultPolicyDoublesFrom200msTo60s(t *testing.T) {
	for attempts, want := range map[int]time.Duration{
		1: 200 * time.Millisecond, 2: 400 * time.Millisecond, 3: 800 * time.Millisecond,
		9: 51200 * time.Millisecond, 10: time.Minute, 60: time.Minute, 1000: time.Minute, math.MaxInt: time.Minute,
		0: 200 * time.Millisecond, -1: 200 * time.Millisecond,
	} {
		low, high := time.Duration(math.MaxInt64), time.Duration(0)
		for range 2000 {
			d := retry.Exponential{}.Delay(attempts)
			low, high = min(low, d), max(high, d)
		}
		if low < want/2 || high > want*3/2 {
			t.Errorf("attempt %d waits between %s and %s, expected %s times 0.5 to 1.5", attempts, low, high, want)
		}
		if low > want*6/10 || high < want*14/10 {
			t.Errorf("attempt %d waits between %s and %s: the spread is not that of 0.5 to 1.5", attempts, low, high)
		}
	}
}

func TestExponentialTakesAnyMultiplier(t *testing.T) {
	for _, tt := range []struct {
		policy   retry.Exponential
		attempts int
		want     time.Duration
	}{
		{retry.Exponential{Base: time.Second, Multiplier: 1.5, NoJitter: true}, 3, 2250 * time.Millisecond},
		{retry.Exponential{Base: time.Second, Multiplier: 1, NoJitter: true}, 50, time.Second},
		{retry.Exponential{Base: time.Second, Multiplier: 0.5, NoJitter: true}, 3, 250 * time.Millisecond},
		{retry.Exponential{Base: time.Second, Multiplier: 10, Max: 5 * time.Second, NoJitter: true}, 2, 5 * time.Second},
		{retry.Exponential{Base: time.Second, Multiplier: 2, Uncapped: true, NoJitter: true}, 11, 1024 * time.Second},
		{retry.Exponential{Base: time.Second, Multiplier: 3, Uncapped: true, NoJitter: true}, 60, year},
		{retry.Exponential{Base: time.Second, Multiplier: math.MaxFloat64, Uncapped: true, NoJitter: true}, 3, year},
		{retry.Exponential{Base: time.Hour, Max: time.Minute, NoJitter: true}, 1, time.Minute},
		{retry.Exponential{Base: 1, NoJitter: true}, 1, 1},
		{retry.Exponential{Base: -time.Second, NoJitter: true}, 3, 0},
	} {
		if got := tt.policy.Delay(tt.attempts); got != tt.want {
			t.Errorf("%+v after %d attempts: %s, expected %s", tt.policy, tt.attempts, got, tt.want)
		}
	}
	for range 100 {
		if d := (retry.Exponential{Base: time.Second, Jitter: 1}).Delay(1); d < 0 || d > 2*time.Second {
			t.Fatalf("a jitter of 1 waits %s, expected between 0 and 2 s", d)
		}
	}
}

func TestFixedWaitsTheSame(t *testing.T) {
	for _, attempts := range []int{1, 2, 60} {
		if d := retry.Fixed(time.Second).Delay(attempts); d != time.Second {
			t.Errorf("attempt %d waits %s", attempts, d)
		}
	}
	if d := retry.Fixed(0).Delay(1); d != 0 {
		t.Errorf("zero waits %s", d)
	}
	if d := retry.Fixed(-1).Delay(1); d != 0 {
		t.Errorf("a negative time waits %s", d)
	}
}

func TestAddedJitterIsTheFormulaOfTheOutboxModule(t *testing.T) {
	for _, tt := range []struct {
		policy   retry.AddedJitter
		attempts int
		low      time.Duration
		spread   time.Duration
	}{
		{retry.AddedJitter{}, 1, 30 * time.Second, 30 * time.Second},
		{retry.AddedJitter{}, 2, time.Minute, 30 * time.Second},
		{retry.AddedJitter{}, 60, 30 * time.Minute, 30 * time.Second},
		{retry.AddedJitter{Base: time.Second, Max: 3 * time.Second}, 5, 3 * time.Second, time.Second},
	} {
		for range 200 {
			if d := tt.policy.Delay(tt.attempts); d < tt.low || d > tt.low+tt.spread {
				t.Fatalf("%+v after %d attempts: %s, expected %s to %s more", tt.policy, tt.attempts, d, tt.low, tt.spread)
			}
		}
	}
}

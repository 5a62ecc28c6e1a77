package driver_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

func TestAHistoryKeepsTheLastTenFailures(t *testing.T) {
	var list json.RawMessage
	for i := range 25 {
		list = driver.AppendFailure(list, driver.Failure{
			At: time.Unix(int64(i), 0).UTC(), Took: time.Second, Owner: "o", Attempt: i + 1, Error: strings.Repeat("é\x00", 600)})
	}
	fs := driver.ParseFailures(list)
	if len(fs) != 10 || fs[0].Attempt != 16 || fs[9].Attempt != 25 {
		t.Fatalf("%d failures from %d on, expected the last ten", len(fs), fs[0].Attempt)
	}
	if n := len([]rune(fs[9].Error)); n != 500 || strings.ContainsRune(fs[9].Error, 0) {
		t.Errorf("an error of %d characters, expected 500 without NUL", n)
	}
	if !json.Valid(list) || len(list) > 20_000 {
		t.Errorf("%d bytes, valid: %t", len(list), json.Valid(list))
	}
}

func TestAHistoryThatCannotBeReadIsBegunAnew(t *testing.T) {
	for _, list := range []string{"", "null", "{", "1", `{"a":1}`} {
		fs := driver.ParseFailures(driver.AppendFailure(json.RawMessage(list), driver.Failure{Attempt: 3}))
		if unknown := list != "" && list != "null"; len(fs) != 1 || fs[0].Attempt != 3 || fs[0].MaybeBefore != unknown {
			t.Errorf("%q became %+v", list, fs)
		}
	}
}

func TestAFailureThatMayHaveDeliveredIsNotForgotten(t *testing.T) {
	var list json.RawMessage
	for i := range 25 {
		if driver.MaybeDelivered(driver.ParseFailures(list)) != (i > 2) {
			t.Fatalf("after %d failures: %s", i, list)
		}
		list = driver.AppendFailure(list, driver.Failure{Attempt: i + 1, Class: driver.ClassTimeout, Maybe: i == 2})
	}
	fs := driver.ParseFailures(list)
	if len(fs) != 10 || !fs[0].MaybeBefore || driver.MaybeDelivered(fs[1:]) {
		t.Errorf("%s: expected the first of ten to say it", list)
	}
}

func TestAnEarlierLifeStaysInOneFailure(t *testing.T) {
	earlier := json.RawMessage(driver.EarlierFailures)
	if fs := driver.ParseFailures(earlier); len(fs) != 1 || fs[0].Class != driver.ClassEarlier || !driver.MaybeDelivered(fs) {
		t.Fatalf("%+v", fs)
	}
	fs := driver.ParseFailures(driver.AppendFailure(earlier, driver.Failure{Attempt: 1, Class: driver.ClassFailed}))
	if len(fs) != 1 || fs[0].Attempt != 1 || fs[0].Maybe || !fs[0].MaybeBefore {
		t.Errorf("%+v", fs)
	}
}

func TestFailuresThatWereNotCountedDoNotPushOutOthers(t *testing.T) {
	var list json.RawMessage
	for i := range 3 {
		list = driver.AppendFailure(list, driver.Failure{Attempt: i + 1, Error: "no"})
	}
	for i := range 50 {
		list = driver.AppendFailure(list, driver.Failure{Class: driver.ClassUnavailable, Maybe: i == 0, At: time.Unix(int64(i), 0)})
	}
	list = driver.AppendFailure(list, driver.Failure{Class: driver.ClassCrash})
	fs := driver.ParseFailures(list)
	if len(fs) != 5 || fs[2].Attempt != 3 || fs[3].At.Unix() != 49 || !fs[3].MaybeBefore || fs[3].Maybe || fs[4].Class != driver.ClassCrash {
		t.Errorf("%s: expected three attempts, the last of the outage, and the crash", list)
	}
}

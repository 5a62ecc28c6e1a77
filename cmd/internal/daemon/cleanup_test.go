package daemon

import (
	"strings"
	"testing"
	"time"
)

const cleaning = "outbox: {publisher: {enabled: false}, consumer: {enabled: true, clean-up: {ttl: 1h, batch-size: 2}}}"

// consumed notes an id of each group, two hours ago.
func (r *rig) consumed(groups ...string) {
	r.t.Helper()
	for _, group := range groups {
		r.do("INSERT INTO outbox_consumed_event (consumer_group, event_id, consumed_at) VALUES (?, 'x', ?)", group, time.Now().Add(-2*time.Hour).UnixMilli())
	}
}

func TestOnceCleansUpTheConsumersIds(t *testing.T) {
	file := newFile(t)
	load(t, file, "outbox: {}").once()
	r := load(t, file, cleaning)
	r.consumed("a", "b")
	r.once()
	if n := r.count("SELECT count(*) FROM outbox_consumed_event"); n != 0 {
		t.Errorf("%d ids are left", n)
	}
}

func TestAGroupWithABadNameDoesNotStopTheOthers(t *testing.T) {
	file := newFile(t)
	load(t, file, "outbox: {}").once()
	r := load(t, file, cleaning)
	r.consumed("a", "b c", "d'e", "f")
	r.once()
	if n := r.count("SELECT count(*) FROM outbox_consumed_event WHERE consumer_group <> 'b c'"); n != 0 {
		t.Errorf("%d ids of good groups are left", n)
	}
	if n := strings.Count(r.log.String(), `consumer group \"b c\"`); n != 1 {
		t.Errorf("%d warnings in\n%s", n, r.log)
	}
}

func TestTheLogTellsWhichGroupsAreCleanedUp(t *testing.T) {
	file := newFile(t)
	load(t, file, "outbox: {}").once()
	all := load(t, file, cleaning)
	all.consumed("a", "b")
	all.once()
	if got := all.log.String(); !strings.Contains(got, "list groups in outbox.consumer.groups") || !strings.Contains(got, `groups="[a b]" ttl=1h0m0s`) {
		t.Errorf("logged %s", got)
	}
	named := load(t, file, strings.Replace(cleaning, "enabled: true,", "enabled: true, groups: [a],", 1))
	named.once()
	if got := named.log.String(); strings.Contains(got, "all consumer groups") || !strings.Contains(got, "groups=[a] ttl=1h0m0s") {
		t.Errorf("logged %s", got)
	}
}

func TestDeadLettersThatOutliveTheIdsAreWarnedOf(t *testing.T) {
	file := newFile(t)
	load(t, file, "outbox: {}").once()
	dead := load(t, file, "outbox: {publisher: {unroutable: dead}}")
	dead.insert("a", 1)
	if got := dead.once(); got != "1 dead" {
		t.Fatal(got)
	}
	for died, want := range map[time.Duration]int{time.Minute: 0, 2 * time.Hour: 1} {
		r := load(t, file, cleaning)
		r.do("UPDATE outbox_dlq_event SET died_at = ?", time.Now().Add(-died).UnixMilli())
		r.once()
		if n := strings.Count(r.log.String(), "older than outbox.consumer.clean-up.ttl"); n != want {
			t.Errorf("%d warnings of a letter of %s:\n%s", n, died, r.log)
		}
	}
}

func TestADaemonThatCannotDeliverEndsThoughItCouldCleanUp(t *testing.T) {
	r := load(t, newFile(t), "outbox: {consumer: {enabled: true}}")
	r.d.config.Lease = 1
	done := make(chan error, 1)
	go func() { done <- r.d.Run(t.Context()) }()
	select {
	case err := <-done:
		if err == nil || !strings.Contains(err.Error(), "Lease") {
			t.Errorf("ended with %v", err)
		}
	case <-time.After(patience):
		t.Error("it still runs")
	}
}

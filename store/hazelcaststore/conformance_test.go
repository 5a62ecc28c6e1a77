package hazelcaststore

import (
	"os"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox/store/memstore"
	"github.com/sendoff-go/outbox/storetest"
)

func TestStore(t *testing.T) {
	storetest.Run(t, subject, oracle)
}

func subject(t testing.TB) storetest.Subject[*Tx] {
	s := fresh(t, Config{})
	return storetest.Subject[*Tx]{
		Store:  s,
		Client: func(t testing.TB) storetest.Store[*Tx] { return newStore(t, connect(t), s.cfg) },
		Expire: s.expire,
		Down:   func(t testing.TB) storetest.Store[*Tx] { return unanswered(t) },
		Silent: func(t testing.TB) (storetest.Store[*Tx], func() func()) {
			far, p := distant(t, fresh(t, Config{}), false)
			return far, func() func() {
				p.Hang()
				return p.Pass
			}
		},
	}
}

func oracle(testing.TB) storetest.Subject[*memstore.Tx] {
	s := memstore.New(memstore.Config{})
	return storetest.Subject[*memstore.Tx]{Store: s, Expire: s.Expire}
}

// The laws of every store that this one does not promise, and why.
const (
	noTransaction = "the client has no transactions that the application's maps could share"
	noSavepoints  = "a Tx has no savepoints"
	noSQL         = "other programs do not write rows with SQL"
	noLocks       = "nobody may lock keys of the outbox"
	noRefusals    = "members that ask for no rights refuse nothing, and maps have no constraints"
	noMigrations  = "maps exist once they are used"
)

var notPromised = map[string]string{
	"event and business change are committed together":                                         noTransaction,
	"event and business change are rolled back together":                                       noTransaction,
	"an event in a savepoint that is rolled back is never delivered":                           noSavepoints,
	"an event written inside a savepoint that is kept is delivered":                            noSavepoints,
	"no event inside a savepoint passes for top-level":                                         noSavepoints,
	"nested savepoints undo what they enclose":                                                 noSavepoints,
	"an id rewritten after a savepoint rollback is delivered once":                             noSavepoints,
	"rolling back to a savepoint undoes a duplicate id":                                        noSavepoints,
	"a foreign INSERT with only type and payload is delivered":                                 noSQL,
	"a row written with the specification's own INSERT is delivered":                           noSQL,
	"a time that another program sets is meant":                                                noSQL,
	"an unreadable row is reported as a problem, and the rest goes on":                         noSQL,
	"a payload that is not JSON is refused, or reported as a problem":                          noSQL,
	"a row that another program marked dead becomes a dead letter":                             noSQL,
	"letters that SQL has marked go back, or are resolved":                                     noSQL,
	"a marked letter whose id somebody is writing waits alone":                                 noSQL,
	"what is marked and another session has locked waits alone":                                noSQL,
	"the letter of a row that cannot be read says so":                                          noSQL,
	"a settle names and skips rows that another session has locked":                            noLocks,
	"a renewal names and skips rows that another session has locked":                           noLocks,
	"a claim by name skips a row that another session has locked":                              noLocks,
	"a claim skips a row that another session has locked":                                      noLocks,
	"a sweep deletes what stands behind rows that another session has locked":                  noLocks,
	"a sweep of dead letters deletes what stands behind those that another session has locked": noLocks,
	"no call is late because another session has locked a row":                                 noLocks,
	"a call ends in time though another session has locked the table":                          noLocks,
	"without a deadline, too, a call ends though another session has locked the table":         noLocks,
	"a change that the database refuses is no outage, and changes nothing":                     noRefusals,
	"a right that is missing is no outage":                                                     noRefusals,
	"missing tables are reported as a schema error":                                            noMigrations,
}

// TestTheLawsThatAreNotPromisedAreNamed fails if a law is left out without a
// reason, or for none, or if users are not told.
func TestTheLawsThatAreNotPromisedAreNamed(t *testing.T) {
	page, err := os.ReadFile("../../docs/hazelcast.md")
	if err != nil {
		t.Fatal(err)
	}
	s := subject(t)
	left := map[string]bool{}
	for _, law := range storetest.Laws[*Tx]() {
		if law.Applies == nil || law.Applies(s) {
			continue
		}
		if law.Power != "" && law.Power != storetest.DeadLetters {
			if !strings.Contains(string(page), "`"+string(law.Power)+"`") {
				t.Errorf("the store is no %s, and docs/hazelcast.md does not say so", law.Power)
			}
			continue
		}
		left[law.Name] = true
		if notPromised[law.Name] == "" {
			t.Errorf("%q is left out without a reason", law.Name)
		}
		if !strings.Contains(string(page), law.Name) {
			t.Errorf("%q is left out, and docs/hazelcast.md does not say so", law.Name)
		}
	}
	for name := range notPromised {
		if !left[name] {
			t.Errorf("%q is not left out, or there is no such law", name)
		}
	}
}

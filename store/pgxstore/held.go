package pgxstore

import (
	"github.com/jackc/pgx/v5"

	"github.com/sendoff-go/outbox/driver"
)

// names are claims as the statements take them: one array for each part.
type names struct {
	ids           []string
	seqs, numbers []int64
}

func newNames(n int) names {
	both := make([]int64, 2*n)
	return names{ids: make([]string, 0, n), seqs: both[0:0:n], numbers: both[n:n]}
}

func namesOf(claims []driver.Held) names {
	n := newNames(len(claims))
	for _, h := range claims {
		n.add(h)
	}
	return n
}

func (n *names) add(h driver.Held) {
	n.ids, n.seqs, n.numbers = append(n.ids, h.EventID), append(n.seqs, h.Seq), append(n.numbers, h.ClaimNo)
}

func (n *names) at(i int) driver.Held {
	return driver.Held{EventID: n.ids[i], Seq: n.seqs[i], ClaimNo: n.numbers[i]}
}

// answer is what a statement returns for the claims that it was sent: the names
// of those it found. Usually it found all, and then their number is enough; the
// names are decoded only if it is not.
type answer struct {
	text []byte
	ends []answered
}

type answered struct {
	end         int // of the id in text
	seq, number int64
}

// newAnswer has room for n claims with ids of the usual length.
func newAnswer(n int) answer {
	return answer{text: make([]byte, 0, 26*n), ends: make([]answered, 0, n)}
}

// read adds an answer. Clear it first after a failed attempt.
func (a *answer) read(rows pgx.Rows) error {
	return eachRow(rows, func(r *row) {
		a.text = append(a.text, r.text()...)
		a.ends = append(a.ends, answered{len(a.text), r.integer(), r.integer()})
	})
}

func (a *answer) clear() { a.text, a.ends = a.text[:0], a.ends[:0] }

// found returns the claims that it names.
func (a *answer) found() map[driver.Held]bool {
	found := make(map[driver.Held]bool, len(a.ends))
	start := 0
	for _, e := range a.ends {
		found[driver.Held{EventID: string(a.text[start:e.end]), Seq: e.seq, ClaimNo: e.number}] = true
		start = e.end
	}
	return found
}

// missing returns the claims sent that were not found, in their order. A claim
// that was sent twice was found once.
func (a *answer) missing(sent *names) (out []driver.Held) {
	if len(a.ends) == len(sent.ids) {
		return nil
	}
	found := a.found()
	for i := range sent.ids {
		if h := sent.at(i); found[h] {
			delete(found, h)
		} else {
			out = append(out, h)
		}
	}
	return out
}

// without returns the claims sent that were not found. One that was sent twice is
// found each time.
func (a *answer) without(sent *names) (out []driver.Held) {
	if len(a.ends) == len(sent.ids) {
		return nil
	}
	found := a.found()
	for i := range sent.ids {
		if h := sent.at(i); !found[h] {
			out = append(out, h)
		}
	}
	return out
}

// fence returns the arguments that identify claims to the statements.
func (s *Store) fence(n names, owner driver.Owner) []any {
	return []any{s.encode.texts(n.ids), s.encode.numbers(n.seqs), s.encode.numbers(n.numbers), string(owner)}
}

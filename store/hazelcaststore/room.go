package hazelcaststore

import (
	"cmp"
	"slices"

	"github.com/sendoff-go/outbox/driver"
)

// room is what a want has left.
type room struct {
	want        driver.Want
	rows, bytes int
	full        bool
}

// window is how many entries of that size the claim reads at once.
func (r *room) window(size int) int64 {
	most := min(r.want.Rows, maxWindow)
	if r.want.Bytes > 0 {
		most = min(most, r.want.Bytes/max(size, 1)+1)
	}
	return int64(most)
}

// fits reports whether there is room for a row behind others that were picked
// before it. The first one always fits: otherwise a large event would never be
// sent.
func (r *room) fits(size, picked, bytes int) bool {
	if r.rows+picked >= r.want.Rows {
		return false
	}
	return r.want.Bytes <= 0 || r.rows+picked == 0 || r.bytes+bytes+size <= r.want.Bytes
}

func (r *room) took(c driver.Claimed) {
	r.rows++
	r.bytes += len(c.Event.Payload())
}

// fitting picks from the texts of a window, in order, what there is room for. It
// leaves out what is not an entry of this store.
func (s *Store) fitting(texts [][]byte, room *room, due, free int64) (fit []*row) {
	rows := make([]*row, 0, len(texts))
	for _, t := range texts {
		if r, err := parseRow(t); err == nil && r.claimable(due, free) && after(r, room.want.After) {
			rows = append(rows, r)
		}
	}
	slices.SortFunc(rows, func(a, b *row) int { return cmp.Or(cmp.Compare(*a.Due, *b.Due), cmp.Compare(a.Seq, b.Seq)) })
	bytes := 0
	for _, r := range rows {
		size := len(r.claimed().Event.Payload())
		if !room.fits(size, len(fit), bytes) {
			room.full = true
			break
		}
		fit, bytes = append(fit, r), bytes+size
	}
	return fit
}

func after(r *row, p driver.Position) bool {
	if p.AvailableAt.IsZero() {
		return true
	}
	return cmp.Or(cmp.Compare(*r.Due, p.AvailableAt.UnixMicro()), cmp.Compare(r.Seq, p.Seq)) > 0
}

package core

import "time"

// unlisted is a lane whose tenants could not be listed, and why.
type unlisted struct {
	lane *Lane
	err  error
}

// unlistedFor is how long such a lane is then claimed as a whole: a list that takes
// too long delays every claim.
const unlistedFor = time.Minute

// Whole makes the want one of its whole lane: the store cannot claim it by tenant.
func (w *Want) Whole() { w.Tenants = 0 }

// Unlisted reports that the tenants of the i-th want could not be listed. That want
// and the later ones become whole: all lanes are in the same claim, and must not
// wait for more lists.
func (p *Polling) Unlisted(i int, err error) {
	p.unlisted = unlisted{p.Wants[i].lane, err}
	for ; i < len(p.Wants); i++ {
		p.Wants[i].Whole()
	}
}

// noteUnlisted is called when the claim has succeeded: so the database is available,
// and the list is to blame.
func (c *Claims) noteUnlisted(u unlisted) {
	if u.lane == nil {
		return
	}
	u.lane.poll.tenants.claimWhole(c.now.Add(unlistedFor))
	c.note(Note{Kind: NoteUnlisted, Lane: u.lane.Name, Err: u.err, Wait: unlistedFor})
}

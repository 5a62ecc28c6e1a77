package driver

import (
	"context"
	"time"
)

// GroupStore groups the dead letters that failed for the same reason: those of
// one lane and destination whose errors have the same [Reason].
type GroupStore interface {
	// GroupDead assigns at most limit ungrouped letters to their groups, and
	// returns how many it changed. Letters arrive without a group from every
	// source: settles, other programs, older versions. A relay calls it with each
	// sweep and at the end of RunOnce. It skips letters that another instance is
	// grouping.
	GroupDead(ctx context.Context, limit int) (int, error)
	// ListGroups lists at most limit groups with unresolved letters after the
	// given one (nil for the first), the one with the latest letter first, and
	// returns where the next page starts, or nil after the last. It looks at a
	// bounded number of groups: a page may be short or empty and yet have a next
	// one.
	ListGroups(ctx context.Context, f GroupFilter, after *GroupCursor, limit int) (groups []DeadGroup, next *GroupCursor, err error)
	// GetGroup returns one group; found is false if there is none.
	GetGroup(ctx context.Context, id string) (g DeadGroup, found bool, err error)
	// MarkGroup records what a person says about a group and replaces what was
	// said before; found is false if there is no such group. The store sets At. A
	// store that is also an [AuditStore] logs the mark.
	MarkGroup(ctx context.Context, id string, m GroupMark) (found bool, err error)
	// SweepGroups deletes at most limit groups that have no unresolved letter,
	// got their last one longer than age ago, and are not muted.
	SweepGroups(ctx context.Context, age time.Duration, limit int) (int, error)
}

// GroupFilter narrows groups. The zero value matches all.
type GroupFilter struct {
	Lane, Destination string     // exact; "" for any
	Reason            string     // contained in the reason; "" for any
	State             GroupState // "" for any
	By                string     // who set the state; "" for anybody
	// LastAfter and LastBefore bound when the latest letter came; zero: no bound.
	LastAfter, LastBefore time.Time
}

// DeadGroup is the dead letters that failed for one reason.
type DeadGroup struct {
	ID          string // the [GroupID] of the next three fields
	Lane        string
	Destination string // "" if the event had none, or another program gave it up
	Reason      string // "" if it was erased; see [EraseStore]
	// Open counts its unresolved letters, up to a thousand.
	Open Count
	// FirstAt and LastAt are when its first and latest letters were grouped,
	// within seconds of their deaths.
	FirstAt, LastAt time.Time
	GroupMark
}

// Cursor is the position of the group in the listing.
func (g *DeadGroup) Cursor() *GroupCursor { return &GroupCursor{LastAt: g.LastAt, ID: g.ID} }

// GroupMark is what a person says about a group.
type GroupMark struct {
	State GroupState
	By    string // at most 255 characters
	Note  string // at most 4000 characters
	At    time.Time
	// MutedUntil ends [GroupMuted]: from then on the group is new again.
	MutedUntil time.Time
}

// GroupState says whether somebody is looking into a group.
type GroupState string

// The states of groups.
const (
	GroupNew           GroupState = "new"
	GroupInvestigating GroupState = "investigating"
	GroupMuted         GroupState = "muted"
)

// GroupCursor is the position of a group in the listing.
type GroupCursor struct {
	LastAt time.Time
	ID     string
}

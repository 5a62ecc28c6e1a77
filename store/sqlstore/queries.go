package sqlstore

import (
	"fmt"
	"io/fs"
	"reflect"
	"regexp"
	"strconv"
	"strings"
)

// Queries are the statements of a dialect, each read from the file of that name
// in its sql directory. Only some strategies use the optional ones.
type Queries struct {
	Check          Query `sql:"check"`
	Version        Query `sql:"version"`
	Begin          Query `sql:"begin,optional"`
	Insert         Query `sql:"insert"`
	InsertOne      Query `sql:"insert_one,optional"`
	InsertPlain    Query `sql:"insert_plain,optional"`
	InsertIfAbsent Query `sql:"insert_if_absent"`
	InsertedSeqs   Query `sql:"inserted_seqs,optional"`

	ClaimBefore Query `sql:"claim_before,optional"`
	Claim       Query `sql:"claim"`
	ClaimMark   Query `sql:"claim_mark,optional"`
	ClaimRead   Query `sql:"claim_read,optional"`
	ClaimAhead  Query `sql:"claim_ahead,optional"`
	ClaimPlaced Query `sql:"claim_placed,optional"`

	ClaimTenant       Query `sql:"claim_tenant"`
	ClaimTenantNone   Query `sql:"claim_tenant_none,optional"`
	ClaimTenantPlaced Query `sql:"claim_tenant_placed,optional"`
	Tenants           Query `sql:"tenants"`
	FairCheck         Query `sql:"fair_check"`

	Take             Query `sql:"take"`
	Renew            Query `sql:"renew"`
	RenewAttempt     Query `sql:"renew_attempt"`
	Confirm          Query `sql:"confirm"`
	Lanes            Query `sql:"lanes"`
	Done             Query `sql:"done"`
	DoneDelete       Query `sql:"done_delete"`
	DonePlaced       Query `sql:"done_placed,optional"`
	DoneDeletePlaced Query `sql:"done_delete_placed,optional"`
	SettleRest       Query `sql:"settle_rest,optional"`
	Retry            Query `sql:"retry,optional"`
	Release          Query `sql:"release,optional"`
	DeadCopy         Query `sql:"dead_copy,optional"`
	Held             Query `sql:"held,optional"`
	HeldFree         Query `sql:"held_free,optional"`
	Settings         Query `sql:"settings,optional"`
	WaitLimit        Query `sql:"wait_limit,optional"`
	WaitRestore      Query `sql:"wait_restore,optional"`

	SweepLock       Query `sql:"sweep_lock,optional"`
	SweepBefore     Query `sql:"sweep_before,optional"`
	Sweep           Query `sql:"sweep"`
	RowsFree        Query `sql:"rows_free,optional"`
	ForeignDead     Query `sql:"sweep_foreign_dead"`
	ForeignDeadDrop Query `sql:"sweep_foreign_dead_drop,optional"`
	Marked          Query `sql:"sweep_marked"`
	MarkedConflict  Query `sql:"sweep_conflict"`
	TrialLimit      Query `sql:"trial_limit,optional"`
	Expire          Query `sql:"expire"`

	DeadCount      Query `sql:"dlq_count"`
	DeadList       Query `sql:"dlq_list"`
	DeadSearchEnd  Query `sql:"dlq_search_end"`
	DeadGet        Query `sql:"dlq_get"`
	DeadEarlier    Query `sql:"dlq_earlier"`
	DeadReplay     Query `sql:"dlq_replay"`
	DeadReplayFind Query `sql:"dlq_replay_find,optional"`
	DeadReplayDrop Query `sql:"dlq_replay_drop,optional"`
	DeadReplayFree Query `sql:"dlq_replay_free,optional"`
	DeadEdit       Query `sql:"dlq_edit"`
	DeadResolve    Query `sql:"dlq_resolve"`
	DeadDelete     Query `sql:"dlq_delete"`
	DeadNote       Query `sql:"dlq_note"`
	DeadErase      Query `sql:"dlq_erase"`
	DeadSweep      Query `sql:"dlq_sweep"`
	DeadFree       Query `sql:"dlq_free,optional"`

	EventList      Query `sql:"event_list"`
	EventCount     Query `sql:"event_count"`
	EventSearchEnd Query `sql:"event_search_end"`
	EventGet       Query `sql:"event_get"`
	EventDelivered Query `sql:"event_delivered"`
	EventKnown     Query `sql:"event_known"`
	EventAgain     Query `sql:"event_again"`
	EventCopy      Query `sql:"event_copy"`
	EventErase     Query `sql:"event_erase"`

	JobAdd       Query `sql:"job_add"`
	JobGet       Query `sql:"job_get"`
	JobList      Query `sql:"job_list"`
	JobSearchEnd Query `sql:"job_search_end"`
	JobDue       Query `sql:"job_due"`
	JobClaim     Query `sql:"job_claim"`
	JobStep      Query `sql:"job_step"`
	JobDecide    Query `sql:"job_decide"`
	JobOverdue   Query `sql:"job_overdue"`
	JobExpire    Query `sql:"job_expire"`
	JobSweep     Query `sql:"job_sweep"`
	JobFree      Query `sql:"job_free,optional"`

	Ungrouped    Query `sql:"group_ungrouped"`
	GroupLetters Query `sql:"group_letters"`
	GroupAdd     Query `sql:"group_add"`
	GroupGet     Query `sql:"group_get"`
	GroupList    Query `sql:"group_list"`
	GroupEnd     Query `sql:"group_search_end"`
	GroupCount   Query `sql:"group_count"`
	GroupMark    Query `sql:"group_mark"`
	GroupSweep   Query `sql:"group_sweep"`
	GroupFree    Query `sql:"group_free,optional"`
	GroupBlank   Query `sql:"group_blank"`

	AlertSee     Query `sql:"alert_see"`
	AlertResolve Query `sql:"alert_resolve"`
	AlertDue     Query `sql:"alert_due"`
	AlertClaim   Query `sql:"alert_claim"`
	AlertTold    Query `sql:"alert_told"`
	AlertList    Query `sql:"alert_list"`
	AlertMute    Query `sql:"alert_mute"`
	AlertSweep   Query `sql:"alert_sweep"`
	AlertFree    Query `sql:"alert_free,optional"`

	StatsLanes Query `sql:"stats_lanes"`
	StatsDead  Query `sql:"stats_dead"`
	StatsDone  Query `sql:"stats_done"`

	ControlPaused    Query `sql:"control_paused"`
	ControlSet       Query `sql:"control_set"`
	DestinationSet   Query `sql:"destination_set"`
	AuditAdd         Query `sql:"audit_add"`
	AuditList        Query `sql:"audit_list"`
	AuditSearchEnd   Query `sql:"audit_search_end"`
	AuditSweep       Query `sql:"audit_sweep"`
	AuditFree        Query `sql:"audit_free,optional"`
	InstanceAnnounce Query `sql:"instance_announce"`
	InstanceWithdraw Query `sql:"instance_withdraw"`
	InstanceList     Query `sql:"instance_list"`
	Notify           Query `sql:"notify,optional"`

	LedgerCheck  Query `sql:"ledger_check"`
	LedgerRecord Query `sql:"ledger_record"`
	LedgerFresh  Query `sql:"ledger_fresh,optional"`
	LedgerKnown  Query `sql:"ledger_known"`
	LedgerLock   Query `sql:"ledger_lock,optional"`
	LedgerForget Query `sql:"ledger_forget"`
	LedgerFree   Query `sql:"ledger_free,optional"`
	ConsumerNext Query `sql:"consumer_next"`
	ConsumerShow Query `sql:"consumer_show"`

	MigrateLock   Query `sql:"migrate_lock,optional"`
	MigrateUnlock Query `sql:"migrate_unlock,optional"`
	MigrateHolder Query `sql:"migrate_holder,optional"`
	SchemaFind    Query `sql:"schema_find,optional"`
	SchemaCreate  Query `sql:"schema_create"`
	SchemaList    Query `sql:"schema_list"`
	SchemaAdd     Query `sql:"schema_add"`
	SchemaRemove  Query `sql:"schema_remove"`
	Foreign       Query `sql:"foreign"`
	AdoptRefuse   Query `sql:"adopt_refuse"`
	AdoptCheck    Query `sql:"adopt_check"`
	AdoptKeep     Query `sql:"adopt_keep,optional"`
	AdoptSize     Query `sql:"adopt_size"`
}

// Query is one statement with the configured table names in it. The zero value
// is a statement that the dialect does not have.
type Query struct {
	SQL string
	// order lists the arguments in the order of the question marks, for
	// drivers that know no numbered parameters.
	order []int
	// pieces, if any, are what a statement is made of that spells out its batch.
	pieces []piece
	// which, from the file of that name with _which after it or the one that
	// its comment names, finds what this statement will change, for databases
	// whose changing statements return nothing, or lock more than they change.
	which *Query
}

func (q Query) exists() bool { return q.SQL != "" }

func (q Query) arguments(args []any) []any {
	if q.order == nil {
		return args
	}
	out := make([]any, len(q.order))
	for i, n := range q.order {
		out[i] = args[n]
	}
	return out
}

// loadQueries reads every statement, and panics if the dialect lacks one: that
// is a bug in its package, not in its use.
func loadQueries(d *Dialect, n *naming) Queries {
	var qs Queries
	v := reflect.ValueOf(&qs).Elem()
	for i := range v.NumField() {
		name, option, _ := strings.Cut(v.Type().Field(i).Tag.Get("sql"), ",")
		if text, ok := d.file(name, option == "optional"); ok {
			v.Field(i).Set(reflect.ValueOf(d.query(name, text, n)))
		}
	}
	return qs
}

// What a comment may ask for: the text of another file in its place, and a
// companion that several statements share.
var (
	include = regexp.MustCompile(`(?m)^-- include: (\w+)$`)
	shared  = regexp.MustCompile(`(?m)^-- which: (\w+)$`)
)

// query makes a statement of a file's text.
func (d *Dialect) query(name, text string, n *naming) Query {
	text = d.included(text)
	q := newQuery(d, n.rewrite(text))
	which, found := d.file(name+"_which", true)
	if strings.Contains(text, "-- which: ") {
		if ask := shared.FindStringSubmatch(text); ask != nil {
			which, found = d.file(ask[1], false)
		}
	}
	if found {
		companion := newQuery(d, n.rewrite(d.included(which)))
		q.which = &companion
	}
	return q
}

// included puts the parts that a text asks for in their place, and the parts of
// those.
func (d *Dialect) included(text string) string {
	if !strings.Contains(text, "-- include: ") {
		return text
	}
	return include.ReplaceAllStringFunc(text, func(line string) string {
		part, _ := d.file(include.FindStringSubmatch(line)[1], false)
		return strings.TrimRight(d.included(part), "\n")
	})
}

func (d *Dialect) file(name string, optional bool) (text string, found bool) {
	bytes, err := fs.ReadFile(d.SQL, "sql/"+name+".sql")
	if err != nil && !optional {
		panic(fmt.Sprintf("sqlstore: dialect %s: %v", d.Name, err))
	}
	return string(bytes), err == nil
}

// Resolved is a dialect with table names put into it, for a driver that runs
// the statements without this engine.
type Resolved struct {
	Queries Queries
	// Schema and Table are the event table's names, unquoted.
	Schema, Table string
}

// Resolve puts table names into a dialect's statements. It fails only on
// invalid names, with [github.com/sendoff-go/outbox/driver.ErrName].
func Resolve(d Dialect, t Tables) (Resolved, error) {
	names, err := newNaming(&d, t)
	if err != nil {
		return Resolved{}, err
	}
	event := names.tables[wordEvent]
	return Resolved{Queries: loadQueries(&d, names), Schema: event.schema, Table: event.table}, nil
}

var numbered = regexp.MustCompile(`\?(\d+)`)

// withoutComments leaves out the lines of comments, and the empty lines before them.
func withoutComments(text string) string {
	var out, empty strings.Builder
	for line := range strings.Lines(text) {
		switch rest := strings.TrimLeft(line, " \t\r\n\f"); {
		case rest == "":
			empty.WriteString(line)
			continue
		case !strings.HasPrefix(rest, "--"):
			out.WriteString(empty.String())
			out.WriteString(line)
		}
		empty.Reset()
	}
	return out.String() + empty.String()
}

func newQuery(d *Dialect, text string) Query {
	q := Query{SQL: strings.TrimSpace(withoutComments(text))}
	if d.NoSkip {
		q.SQL = strings.ReplaceAll(q.SQL, "SKIP LOCKED", "NOWAIT")
	}
	if d.Spelled {
		q.pieces = spelledPieces(q.SQL)
	}
	if !d.Positional || q.pieces != nil {
		return q
	}
	q.order = []int{}
	q.SQL = numbered.ReplaceAllStringFunc(q.SQL, func(p string) string {
		n, _ := strconv.Atoi(p[1:])
		q.order = append(q.order, n-1)
		return "?"
	})
	return q
}

// union joins copies of a query. Each copy takes the next width arguments.
func (q Query) union(copies, width int) Query {
	return q.repeat(0, copies, width, "\nUNION ALL\n")
}

// unionOf joins queries that each take the next width arguments.
func unionOf(parts []Query, width int) Query {
	var q Query
	texts := make([]string, len(parts))
	for i, p := range parts {
		texts[i] = p.SQL
		for _, n := range p.order {
			q.order = append(q.order, i*width+n)
		}
	}
	q.SQL = strings.Join(texts, "\nUNION ALL\n")
	return q
}

// values repeats the list after VALUES once per row.
func (q Query) values(rows, width int) Query {
	const word = "VALUES"
	return q.repeat(strings.LastIndex(q.SQL, word)+len(word), rows, width, ",")
}

func (q Query) repeat(from, copies, width int, separator string) Query {
	parts := make([]string, copies)
	order := make([]int, 0, copies*len(q.order))
	for i := range parts {
		parts[i] = q.SQL[from:]
		for _, n := range q.order {
			order = append(order, i*width+n)
		}
	}
	return Query{SQL: q.SQL[:from] + strings.Join(parts, separator), order: order}
}

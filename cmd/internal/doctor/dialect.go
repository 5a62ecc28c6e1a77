package doctor

// dialect is what the doctor knows of one kind of database.
type dialect struct {
	dir   string // of its questions
	width int    // checks at once
	// oldest is the oldest version that can work, by product.
	oldest map[string]string

	explain string // asks for a plan without executing
	claim   []any  // arguments of the claim, in the order of their use
	noIndex string // in the error about an index that a statement names and that is missing

	settings []rule
	timeouts []rule
	// role describes how to change a timeout.
	role string
}

// rule is what to think of a setting.
type rule struct {
	name  string
	wrong func(value string) bool
	state State
	why   string
	do    string
}

var dialects = map[string]dialect{"PostgreSQL": postgres, "MySQL": mysql, "SQLite": sqlite}

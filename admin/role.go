package admin

// Role is what somebody may do.
type Role string

// The roles. Each may do what those before it may.
const (
	Viewer   Role = "viewer"   // look
	Operator Role = "operator" // retry and resolve dead letters, pause and resume
	Admin    Role = "admin"    // edit and delete dead letters, see what is masked
)

// Roles are all roles, from the least to the greatest.
func Roles() []Role { return []Role{Viewer, Operator, Admin} }

// rank orders the roles; 0 is none of them.
func (r Role) rank() int {
	for i, other := range Roles() {
		if r == other {
			return i + 1
		}
	}
	return 0
}

// AtLeast reports whether r may do what other may. An unknown role may do
// nothing, and nobody may do what is reserved for one.
func (r Role) AtLeast(other Role) bool { return other.rank() > 0 && r.rank() >= other.rank() }

// Person is who sends a request.
type Person struct {
	Name string // as the audit log shows it
	Role Role
}

func (p Person) may(r Role) bool { return p.Role.AtLeast(r) }

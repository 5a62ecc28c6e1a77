package console

import (
	"cmp"
	"crypto/rand"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/sendoff-go/outbox/admin"
)

// Config configures a console. The zero value of a field that is not required
// means its default.
type Config struct {
	// API is the outbox, and who may do what with it. Its Store and Auth are
	// required. Its Auth is also asked about what people enter to sign in.
	API admin.Config
	// SignIn lets people sign in elsewhere; the role of a session is the one they
	// had there when it began. API.FailedLogins bounds the codes that it refuses,
	// also with API.NoLoginLimit, where zero means no bound. Default: none.
	SignIn Provider
	// OnlySignIn hides the form for tokens, users and passwords, for an API.Auth
	// without credentials that people know. It needs SignIn.
	OnlySignIn bool
	// Name says whose outbox it is, beside the console's own name. Default: none.
	Name string
	// Database is shown at the foot of each page. Default: none.
	Database string
	// Key signs sessions. Consoles with the same key accept each other's sessions.
	// Change it with the credentials, so that sessions of removed people end.
	// Default: a random key, so that sessions end with the process.
	Key []byte
	// SignedIn is how long a session lasts. Default 12 h.
	SignedIn time.Duration
	// TraceURL is where traces are found: {trace} in it stands for the trace id,
	// which follows at the end if it is not named. Default: trace ids are not links.
	TraceURL string
	// Settings returns the settings in force as text, without secrets. Default:
	// none are shown.
	Settings func() string
	// TypeSettings returns the settings of one event type. Default: none are shown.
	TypeSettings func(eventType string) []Setting
	// Every is how often the console reads the figures that it shows over time.
	// Default 5 s.
	Every time.Duration
}

// Setting is a setting in force.
type Setting struct{ Name, Value string }

// Console is a web interface. Make one with [New]. It is safe for concurrent use.
type Console struct {
	cfg      Config
	auth     admin.Auth
	api      http.Handler // knows people by the context of a request
	sessions *sessions
	signIns  signer
	codes    admin.Auth // asks SignIn; nil without it
	files    files
	recorder *recorder
	shares   *shares
	started  time.Time
	handler  http.Handler
	log      *slog.Logger
}

// innerCalls is how many calls of the API a page may take.
const innerCalls = 10

// defaultFailedLogins is the default of package admin.
const defaultFailedLogins = 10

// New makes a console.
func New(c Config) (*Console, error) {
	switch {
	case c.API.Store == nil || c.API.Auth == nil:
		return nil, errors.New("console: set API.Store and API.Auth")
	case c.OnlySignIn && c.SignIn == nil:
		return nil, errors.New("console: OnlySignIn leaves no way to sign in: set SignIn")
	case c.SignedIn < 0 || c.Every < 0:
		return nil, errors.New("console: SignedIn and Every must not be negative: leave them zero for their defaults")
	case c.TraceURL != "" && !strings.HasPrefix(c.TraceURL, "https://") && !strings.HasPrefix(c.TraceURL, "http://"):
		return nil, errors.New("console: TraceURL must begin with https:// or http://")
	}
	if c.TraceURL != "" && !strings.Contains(c.TraceURL, "{trace}") {
		c.TraceURL += "{trace}"
	}
	if c.SignedIn == 0 {
		c.SignedIn = 12 * time.Hour
	}
	if c.Every == 0 {
		c.Every = 5 * time.Second
	}
	if c.API.Logger == nil {
		c.API.Logger = slog.Default()
	}
	if len(c.Key) == 0 {
		c.Key = make([]byte, 32)
		_, _ = rand.Read(c.Key) // never fails
	}
	if c.API.Rate == 0 {
		c.API.Rate = 50
	}
	out := &Console{cfg: c, auth: c.API.Auth, sessions: newSessions(c.Key, c.SignedIn), signIns: newSigner(c.Key, "outbox console sign-in"), shares: newShares(), started: time.Now(), log: c.API.Logger}
	if c.SignIn != nil {
		out.codes = out.limitCodes(c.API)
	}
	if !c.API.NoLoginLimit {
		out.auth = admin.LimitLogins(c.API.Auth, admin.LoginLimit{PerMinute: cmp.Or(c.API.FailedLogins, defaultFailedLogins), TrustedProxies: c.API.TrustedProxies, Logger: c.API.Logger})
	}
	inner := c.API
	inner.Auth, inner.NoLoginLimit, inner.Rate = signedIn, true, innerCalls*c.API.Rate
	var err error
	if out.api, err = admin.New(inner); err != nil {
		return nil, err
	}
	if out.files, err = embedded(); err != nil {
		return nil, err
	}
	out.recorder = newRecorder(c.Every, out.status, out.countOpen)
	out.handler = out.routes()
	return out, nil
}

// ServeHTTP implements [http.Handler].
func (c *Console) ServeHTTP(w http.ResponseWriter, r *http.Request) { c.handler.ServeHTTP(w, r) }

package config

import (
	"cmp"
	"fmt"
	"strings"
)

// Config has the settings under `outbox:`. It is not changed after [Load].
type Config struct {
	InstanceName string `yaml:"instance-name" doc:"Readable part of the name under which this daemon claims events. Empty: host name and process id."`
	ThreadPool   int    `yaml:"thread-pool-size" default:"0" min:"0" max:"1000" doc:"Batches of one event type that are sent concurrently. 0: the number of processors, at most 5."`

	DrainTimeout Duration `yaml:"drain-timeout" default:"5s" min:"1ms" doc:"How long a shutdown may take to finish the sends in progress."`
	Lease        Duration `yaml:"lease" default:"15s" min:"100ms" doc:"How long a claim lasts without renewal. After that, other daemons take over the events of a crashed one."`

	Database  Database  `yaml:"database" doc:"The database that holds the events."`
	Tables    Tables    `yaml:"tables" doc:"The tables of the outbox."`
	Publisher Publisher `yaml:"publisher" doc:"Reads events from the table and sends them."`
	Consumer  Consumer  `yaml:"consumer" doc:"Cleans up the table of consumed ids. The applications do the consuming."`
	Admin     Admin     `yaml:"admin" doc:"Health, metrics and the REST API over HTTP."`
	Alerts    Alerts    `yaml:"alerts" doc:"Tells people what is wrong with the outbox."`
	Telemetry Telemetry `yaml:"telemetry" doc:"Sends traces and metrics over OTLP. What is not set is taken from the environment variables of OpenTelemetry, OTEL_EXPORTER_OTLP_ENDPOINT and so on."`
	Log       Log       `yaml:"log" doc:"The log, on standard error."`

	source  string           // the file
	origins map[string]Place // of every key that was set, by its dotted path
}

// Database is `outbox.database`.
type Database struct {
	URL         string `yaml:"url" url:"true" example:"${OUTBOX_DB:-sqlite://outbox.db}" doc:"Required. postgres://, mysql:// or sqlite:// followed by user:password@host:port/name, or by a file."`
	Driver      string `yaml:"driver" enum:"pgx,sql" doc:"For PostgreSQL: pgx, the native driver, or sql, through database/sql. Empty: pgx."`
	Connections int    `yaml:"connections" default:"8" min:"1" max:"10000" doc:"Maximum number of open connections of the pool. On PostgreSQL with pgx the relay has 4 of its own, and 1 for LISTEN. SQLite always has one."`
	Notify      bool   `yaml:"notify" default:"true" doc:"Use LISTEN on PostgreSQL to wake up at once when a writer sends NOTIFY. Ignored on other databases."`
	ListenURL   string `yaml:"listen-url" url:"true" doc:"URL of a connection for LISTEN that bypasses a pooler. Empty: url."`
}

// Tables is `outbox.tables`.
type Tables struct {
	AutoCreate  bool   `yaml:"auto-create" default:"true" doc:"Create and upgrade the tables at startup. false: run outbox migrate up yourself."`
	Schema      string `yaml:"schema" doc:"Schema of the tables. Empty: public on PostgreSQL, the URL's database on MySQL."`
	Event       string `yaml:"event" default:"outbox_event" doc:"Table of events."`
	DeadLetter  string `yaml:"dead-letter" default:"outbox_dlq_event" doc:"Table of dead letters."`
	DeadGroup   string `yaml:"dead-group" default:"outbox_dlq_group" doc:"Table of groups of dead letters."`
	Control     string `yaml:"control" default:"outbox_control" doc:"Table of paused event types."`
	Instance    string `yaml:"instance" default:"outbox_instance" doc:"Table of running daemons and relays."`
	Consumed    string `yaml:"consumed" default:"outbox_consumed_event" doc:"Table of consumed event ids."`
	Audit       string `yaml:"audit" default:"outbox_audit" doc:"Table of what people changed."`
	Alert       string `yaml:"alert" default:"outbox_alert" doc:"Table of alerts."`
	Destination string `yaml:"destination" default:"outbox_destination" doc:"Table of paused destinations."`
	Job         string `yaml:"job" default:"outbox_job" doc:"Table of jobs."`
	Version     string `yaml:"version" default:"outbox_schema" doc:"Table of applied migrations."`
}

// Admin is `outbox.admin`.
type Admin struct {
	Addr string `yaml:"addr" example:"127.0.0.1:9464" doc:"Address that serves /livez, /readyz and /metrics, and the REST API if somebody may use it. Empty, the default: do not listen."`

	Tokens       map[string]*Token `yaml:"tokens" entry:"name" doc:"Bearer tokens of the REST API, by the name that the audit log shows. With tokens, users or oidc, /metrics asks for one of them too."`
	Users        map[string]*User  `yaml:"users" entry:"name" doc:"Users of the REST API, by name, with HTTP basic authentication."`
	Anonymous    string            `yaml:"anonymous" enum:"viewer,operator,admin" doc:"Role of whoever sends no credentials and calls this address by its IP number or as localhost, for a network that only the right people can reach. Empty: nothing is served without credentials."`
	OIDC         OIDC              `yaml:"oidc" doc:"Tokens of an OpenID Connect provider: ID tokens, or access tokens that are JWTs, sent as bearer tokens."`
	Console      Console           `yaml:"console" doc:"The web interface, at /console/ of the address, for whoever may use the REST API."`
	HidePayloads bool              `yaml:"hide-payloads" default:"false" doc:"Keep payloads and headers of events from viewers."`
	Mask         []string          `yaml:"mask" doc:"Fields of payloads that viewers and operators see as ***: a path like $.card.number, or a name like password at any depth, or of a header. A payload that is not JSON is then hidden from them."`
	ConsentOver  int               `yaml:"consent-over" default:"0" min:"0" max:"1000000000" doc:"A job that matches more rows than this waits until a second person allows it. 0: no job does."`
	ConsentTTL   Duration          `yaml:"consent-ttl" default:"7d" min:"1m" doc:"How long a job waits for the consent of a second person. Then it ends as expired."`
	AuditTTL     Duration          `yaml:"audit-ttl" default:"365d" doc:"How long entries of the audit log are kept. 0: forever."`
	JobTTL       Duration          `yaml:"job-ttl" default:"30d" min:"1m" doc:"How long jobs are kept after they end."`
	TLS          ServerTLS         `yaml:"tls" doc:"TLS of the address. The files are read again when they change."`

	FailedLogins   int      `yaml:"failed-logins" default:"10" min:"0" max:"100000" doc:"Wrong credentials that one IP address may send in a minute, spread out or in a burst, before nobody is let in from there. 0: no bound."`
	TrustedProxies []string `yaml:"trusted-proxies" doc:"Addresses or networks of proxies, like 10.0.0.0/8, whose header X-Forwarded-For is believed. Empty: the address is that of the connection."`
	MaxRequests    int      `yaml:"max-requests" default:"100" min:"1" max:"100000" doc:"Requests to the REST API that are served at once."`
	Profiling      bool     `yaml:"profiling" default:"false" doc:"Serve /debug/pprof to the role admin."`
}

// Console is `outbox.admin.console`.
type Console struct {
	Enabled    bool     `yaml:"enabled" default:"true" doc:"Serve the console."`
	Name       string   `yaml:"name" doc:"Whose outbox it is, shown on each page."`
	SessionKey string   `yaml:"session-key" secret:"true" doc:"Signs sessions, so that daemons with the same key and credentials accept each other's: at least 32 characters. Empty: sessions end with the process."`
	SessionTTL Duration `yaml:"session-ttl" default:"12h" min:"1m" doc:"How long a session lasts."`
	TraceURL   string   `yaml:"trace-url" doc:"URL of a trace, like https://traces.example/trace/{trace}. {trace} stands for the trace id; without it, the id is appended. Empty: trace ids are not links."`
}

// OIDC is `outbox.admin.oidc`.
type OIDC struct {
	Issuer     string            `yaml:"issuer" doc:"URL of the provider, as its tokens name it. Empty: no such tokens."`
	Audience   string            `yaml:"audience" doc:"Audience that tokens must have: the client id of the API at the provider."`
	RolesClaim string            `yaml:"roles-claim" default:"roles" doc:"Claim with the roles or groups of a person; one within another is written with a dot, like realm_access.roles."`
	Roles      map[string]string `yaml:"roles" doc:"The role here, viewer, operator or admin, of each value of that claim. Somebody with none may do nothing."`
	NameClaim  string            `yaml:"name-claim" default:"sub" doc:"Claim with the name that the audit log shows after oidc:. Choose one that people cannot change."`
	Login      OIDCLogin         `yaml:"login" doc:"Signing in to the console with the provider, by the authorization code flow with PKCE."`
}

// OIDCLogin is `outbox.admin.oidc.login`.
type OIDCLogin struct {
	RedirectURL  string   `yaml:"redirect-url" doc:"URL of the console's callback page, as browsers reach it and as it is registered with the provider, like https://shop.example.com/console/callback. Empty: nobody signs in with the provider."`
	ClientID     string   `yaml:"client-id" doc:"Id under which the provider knows the console. Empty: the audience."`
	ClientSecret string   `yaml:"client-secret" secret:"true" doc:"Secret that goes with the id. Empty: the console is a public client."`
	Scopes       []string `yaml:"scopes" default:"openid,profile" doc:"Scopes to ask for, openid among them. They must bring the claims for name and roles into the ID token."`
	Name         string   `yaml:"name" doc:"Name of the provider on the button. Empty: the host of the issuer."`
}

// Token is an entry of `outbox.admin.tokens`.
type Token struct {
	Role   string `yaml:"role" default:"viewer" enum:"viewer,operator,admin" doc:"viewer looks, operator also retries, resolves and pauses, admin also edits and deletes."`
	Token  string `yaml:"token" secret:"true" doc:"The token. Set this or token-sha256."`
	SHA256 string `yaml:"token-sha256" example:"0000000000000000000000000000000000000000000000000000000000000000" doc:"Its SHA-256 sum in hexadecimal, so that the file has no secret."`
}

// User is an entry of `outbox.admin.users`.
type User struct {
	Role     string `yaml:"role" default:"viewer" enum:"viewer,operator,admin" doc:"What the user may do, as for tokens."`
	Password string `yaml:"password" secret:"true" doc:"The password. Set this or password-sha256."`
	SHA256   string `yaml:"password-sha256" example:"0000000000000000000000000000000000000000000000000000000000000000" doc:"Its SHA-256 sum in hexadecimal."`
}

// ServerTLS is `outbox.admin.tls`.
type ServerTLS struct {
	CertFile string `yaml:"cert-file" doc:"PEM file of the server's certificate. Empty: no TLS."`
	KeyFile  string `yaml:"key-file" doc:"PEM file of the server's key."`
}

// Log is `outbox.log`.
type Log struct {
	Level  string `yaml:"level" default:"info" enum:"debug,info,warn,error" doc:"The lowest level that is logged."`
	Format string `yaml:"format" default:"text" enum:"text,json" doc:"One line of key=value, or one JSON object, per message."`
}

// Consumer is `outbox.consumer`.
type Consumer struct {
	Enabled bool     `yaml:"enabled" default:"false" doc:"Clean up the ids that consumers have recorded in this database."`
	Groups  []string `yaml:"groups" doc:"Consumer groups whose ids are cleaned up. Empty: all groups in the table, even those of Go consumers with a longer retention."`
	CleanUp CleanUp  `yaml:"clean-up" doc:"Deletes ids older than ttl."`
	Cache   Cache    `yaml:"cache" doc:"Belongs to the consuming applications. Accepted here, and ignored."`
}

// Cache is `outbox.consumer.cache`.
type Cache struct {
	Enabled   bool   `yaml:"enabled" default:"false" unused:"the cache belongs to the consuming applications"`
	CacheName string `yaml:"cache-name" unused:"the cache belongs to the consuming applications"`
}

// Was reports whether the key of that dotted path, for example
// "publisher.dlq.enabled", was set by file or environment.
func (c *Config) Was(path string) bool {
	_, set := c.origins[path]
	return set
}

// Wrong is a problem with the key of a dotted path: where it was set, its path,
// and then the text.
func (c *Config) Wrong(at, format string, args ...any) Problem {
	place, set := c.origins[at]
	for table := at; !set && strings.Contains(table, "."); {
		table = table[:strings.LastIndex(table, ".")]
		place, set = c.origins[table]
	}
	if !set {
		place = Place{Source: cmp.Or(c.source, "environment")}
	}
	return Problem{Place: place, Text: "outbox." + at + fmt.Sprintf(format, args...)}
}

// PathOf is the dotted path of a sender.
func (c *Config) PathOf(s *Sender) string {
	for name, other := range c.Publisher.Senders {
		if s == other {
			return dotted([]string{"publisher", "senders", name})
		}
	}
	return "publisher.sender"
}

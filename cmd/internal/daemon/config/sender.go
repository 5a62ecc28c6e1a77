package config

// DefaultSender is `outbox.publisher.sender`.
type DefaultSender struct {
	Sender
	BeanName string `yaml:"bean-name" doc:"Name of an entry of senders to use in place of this one."`
}

// Sender is an entry of `outbox.publisher.senders`.
type Sender struct {
	Type             string   `yaml:"type" enum:"kafka,rabbit_mq,nats,redis,http,log" example:"log" doc:"Required. log writes events to the log, for trying out."`
	EmergencyTimeout Duration `yaml:"emergency-timeout" default:"120s" min:"1ms" doc:"Bound of a send. One that takes longer is an outage: no attempt is spent, the events are sent again."`

	Brokers   []string `yaml:"brokers" for:"kafka" default:"localhost:9092" url:"true" doc:"Addresses of the first brokers to ask."`
	URL       string   `yaml:"url" for:"rabbit_mq,nats,redis,http" url:"true" doc:"Address of the server. Empty: the usual port on localhost; http has no default."`
	ClientID  string   `yaml:"client-id" for:"kafka,rabbit_mq,nats" default:"outbox" doc:"Name of the connection, as the server shows it."`
	Username  string   `yaml:"username" for:"kafka,rabbit_mq,nats,redis,http" doc:"User name, if url has none."`
	Password  string   `yaml:"password" for:"kafka,rabbit_mq,nats,redis,http" secret:"true" doc:"Password of that user."`
	Mechanism string   `yaml:"sasl-mechanism" for:"kafka" enum:"plain,scram-sha-256,scram-sha-512" doc:"SASL mechanism for username and password. Empty: plain, if there is a username."`
	Token     string   `yaml:"token" for:"nats" secret:"true" doc:"Token, in place of username and password."`
	CredsFile string   `yaml:"creds-file" for:"nats" doc:"File with a JWT and its key, in place of username and password."`
	TLS       TLS      `yaml:"tls" for:"kafka,rabbit_mq,nats,redis,http" doc:"Encryption of the connection."`

	MaxMessage      Size     `yaml:"max-message-bytes" for:"kafka" default:"1000012" min:"512" max:"1GB" doc:"Largest record with its headers. Not more than the brokers and topics allow."`
	DefaultExchange bool     `yaml:"default-exchange" for:"rabbit_mq" default:"false" doc:"Send to queues: topic is then the name of a queue, not of an exchange."`
	Addresses       []string `yaml:"addresses" for:"redis" url:"true" doc:"In place of url: the nodes of a cluster, or with master-name the sentinels."`
	MasterName      string   `yaml:"master-name" for:"redis" doc:"Name of the master that the sentinels know."`
	MaxLength       int      `yaml:"max-length" for:"redis" default:"0" min:"0" doc:"Streams are trimmed to about that many entries. 0: not trimmed."`
	RequireStream   bool     `yaml:"require-stream" for:"redis" default:"false" doc:"A stream that does not exist is a failure, and is not created."`

	Mode           string            `yaml:"mode" for:"http" default:"binary" enum:"binary,structured" doc:"CloudEvents: the payload as it is with attributes as headers, or one JSON object."`
	Source         string            `yaml:"source" for:"http" default:"urn:outbox" url:"true" doc:"CloudEvents source, a URI reference."`
	Secrets        []string          `yaml:"secrets" for:"http" secret:"true" doc:"Sign requests as Standard Webhooks. whsec_ and base64; several while receivers change over."`
	Headers        map[string]string `yaml:"headers" for:"http" secret:"true" doc:"Headers of every request, for example Authorization."`
	RequestTimeout Duration          `yaml:"request-timeout" for:"http" default:"10s" min:"1ms" doc:"Bound of one request."`
	Concurrency    int               `yaml:"concurrency" for:"http" default:"8" min:"1" max:"1000" doc:"Requests of one batch that run at once."`
	BlockPrivate   bool              `yaml:"block-private" for:"http" default:"false" doc:"Refuse to connect to addresses that are not public."`

	PayloadBytes int `yaml:"payload-bytes" for:"log" default:"0" min:"0" max:"1048576" doc:"Bytes of each payload that are logged. Logs are read by more people than databases."`
}

// TLS is `tls` of a sender.
type TLS struct {
	Enabled    bool   `yaml:"enabled" default:"false" doc:"Use TLS. Also on with a URL that says so: amqps, tls, rediss, https."`
	CAFile     string `yaml:"ca-file" doc:"PEM file of the authorities to trust. Empty: the system's."`
	CertFile   string `yaml:"cert-file" doc:"PEM file of the client's certificate."`
	KeyFile    string `yaml:"key-file" doc:"PEM file of its key."`
	ServerName string `yaml:"server-name" doc:"Name to find in the server's certificate. Empty: the host of the address."`
	Insecure   bool   `yaml:"insecure-skip-verify" default:"false" doc:"Trust any certificate. For tests only."`
}

package config

// DefaultSender is `outbox.publisher.sender`.
type DefaultSender struct {
	Sender
	BeanName string `yaml:"bean-name" doc:"Name of an entry of senders to use instead of this one."`
}

// Sender is an entry of `outbox.publisher.senders`.
type Sender struct {
	Type             string   `yaml:"type" enum:"kafka,rabbit_mq,nats,redis,hazelcast,http,log" example:"log" doc:"Required. log writes events to the log, to try things out."`
	EmergencyTimeout Duration `yaml:"emergency-timeout" default:"120s" min:"1ms" doc:"Timeout of a send. One that takes longer counts as an outage: it uses up no attempt, and the events are sent again."`

	Brokers   []string `yaml:"brokers" for:"kafka" default:"localhost:9092" url:"true" doc:"host:port of the brokers to contact first."`
	URL       string   `yaml:"url" for:"rabbit_mq,nats,redis,http" url:"true" doc:"Address of the server. Empty: the default port on localhost; http needs one."`
	ClientID  string   `yaml:"client-id" for:"kafka,rabbit_mq,nats" default:"outbox" doc:"Name of the connection that the server shows."`
	Username  string   `yaml:"username" for:"kafka,rabbit_mq,nats,redis,hazelcast,http" doc:"User name, if url has none."`
	Password  string   `yaml:"password" for:"kafka,rabbit_mq,nats,redis,hazelcast,http" secret:"true" doc:"Password of that user."`
	Mechanism string   `yaml:"sasl-mechanism" for:"kafka" enum:"plain,scram-sha-256,scram-sha-512" doc:"SASL mechanism for username and password. Empty: plain, if there is a username."`
	Token     string   `yaml:"token" for:"nats" secret:"true" doc:"Token, instead of username and password."`
	CredsFile string   `yaml:"creds-file" for:"nats" doc:"File with a JWT and its key, instead of username and password."`
	TLS       TLS      `yaml:"tls" for:"kafka,rabbit_mq,nats,redis,hazelcast,http" doc:"TLS of the connection."`

	MaxMessage      Size     `yaml:"max-message-bytes" for:"kafka" default:"1000012" min:"512" max:"1GB" doc:"Largest record, including headers. At most what brokers and topics allow."`
	DefaultExchange bool     `yaml:"default-exchange" for:"rabbit_mq" default:"false" doc:"Send to queues through the default exchange: topic then names a queue."`
	Addresses       []string `yaml:"addresses" for:"redis,hazelcast" url:"true" doc:"host:port of members of a Hazelcast cluster, default localhost:5701; for redis instead of url, of the cluster nodes or, with master-name, of the sentinels."`
	MasterName      string   `yaml:"master-name" for:"redis" doc:"Name of the master that the sentinels monitor."`
	MaxLength       int      `yaml:"max-length" for:"redis" default:"0" min:"0" doc:"Trim streams to about that many entries. 0: do not trim."`
	RequireStream   bool     `yaml:"require-stream" for:"redis" default:"false" doc:"Fail if a stream does not exist, instead of creating it."`

	ClusterName string `yaml:"cluster-name" for:"hazelcast" default:"dev" doc:"Name of the Hazelcast cluster."`
	Reliable    bool   `yaml:"reliable" for:"hazelcast" default:"false" doc:"Publish to reliable topics, whose messages the cluster keeps; listeners must use them too."`
	Unisocket   bool   `yaml:"unisocket" for:"hazelcast" default:"false" doc:"Connect to one of addresses only, for members that cannot be reached at the addresses that they know of each other."`

	Mode           string            `yaml:"mode" for:"http" default:"binary" enum:"binary,structured" doc:"CloudEvents content mode: the payload as body with attributes as headers, or one JSON object."`
	Source         string            `yaml:"source" for:"http" default:"urn:outbox" url:"true" doc:"CloudEvents source, a URI reference."`
	Secrets        []string          `yaml:"secrets" for:"http" secret:"true" doc:"Secrets that sign requests as in Standard Webhooks: whsec_ and base64; several during a rotation."`
	Headers        map[string]string `yaml:"headers" for:"http" secret:"true" doc:"Headers of every request, for example Authorization."`
	RequestTimeout Duration          `yaml:"request-timeout" for:"http" default:"10s" min:"1ms" doc:"Timeout of one request."`
	Concurrency    int               `yaml:"concurrency" for:"http" default:"8" min:"1" max:"1000" doc:"Concurrent requests of one batch."`
	BlockPrivate   bool              `yaml:"block-private" for:"http" default:"false" doc:"Refuse to connect to addresses that are not public."`

	PayloadBytes int `yaml:"payload-bytes" for:"log" default:"0" min:"0" max:"1048576" doc:"Bytes of each payload to log. More people read logs than databases."`
}

// TLS is `tls` of a sender.
type TLS struct {
	Enabled    bool   `yaml:"enabled" default:"false" doc:"Use TLS. Also on with the URL schemes amqps, tls, rediss and https."`
	CAFile     string `yaml:"ca-file" doc:"PEM file of the CAs to trust. Empty: the system's."`
	CertFile   string `yaml:"cert-file" doc:"PEM file of the client's certificate."`
	KeyFile    string `yaml:"key-file" doc:"PEM file of its key."`
	ServerName string `yaml:"server-name" doc:"Name to expect in the server's certificate. Empty: the host of the address."`
	Insecure   bool   `yaml:"insecure-skip-verify" default:"false" doc:"Trust any certificate. For tests only."`
}

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

	Brokers   []string `yaml:"brokers" for:"kafka" default:"localhost:9092" doc:"Addresses of the first brokers to ask."`
	URL       string   `yaml:"url" for:"rabbit_mq,nats,redis,http" url:"true" doc:"Address of the server. Empty: the usual port on localhost; http has no default."`
	ClientID  string   `yaml:"client-id" for:"kafka,rabbit_mq,nats" default:"outbox" doc:"Name of the connection, as the server shows it."`
	Username  string   `yaml:"username" for:"kafka,rabbit_mq,nats,redis,http" doc:"User name, if url has none."`
	Password  string   `yaml:"password" for:"kafka,rabbit_mq,nats,redis,http" secret:"true" doc:"Password of that user."`
	Mechanism string   `yaml:"sasl-mechanism" for:"kafka" enum:"plain,scram-sha-256,scram-sha-512" doc:"SASL mechanism for username and password. Empty: plain, if there is a username."`
	TLS       TLS      `yaml:"tls" for:"kafka,rabbit_mq,nats,redis,http" doc:"Encryption of the connection."`
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

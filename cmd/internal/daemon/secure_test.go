package daemon

import (
	"fmt"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/sendoff-go/outbox/internal/await"
	"github.com/sendoff-go/outbox/internal/testenv"
)

// files are the keys of a sender's tls.
func files(s testenv.Secured) string {
	return fmt.Sprintf("ca-file: %q, cert-file: %q, key-file: %q", s.CAFile, s.CertFile, s.KeyFile)
}

func TestKafkaIsReachedOverTLSWithEveryMechanism(t *testing.T) {
	s, topic := testenv.Secure(t, testenv.Kafka), openKafka(t).topic(t)
	for _, mechanism := range []string{"default", "plain", "scram-sha-256", "scram-sha-512"} {
		t.Run(mechanism, func(t *testing.T) {
			sender := fmt.Sprintf("type: kafka, brokers: [%q], username: %q, password: %q, tls: {enabled: true, %s}", s.Addr, s.User, s.Password, files(s))
			if mechanism != "default" {
				sender += ", sasl-mechanism: " + mechanism
			}
			deliverTwo(t, "{"+sender+"}", topic)
		})
	}
}

func TestNATSIsReachedOverTLSWithAPasswordAndWithAToken(t *testing.T) {
	s := testenv.Secure(t, testenv.NATS)
	for name, c := range map[string]struct {
		addr, keys string
		login      nats.Option
	}{
		"password": {s.Addr, fmt.Sprintf("username: %q, password: %q", s.User, s.Password), nats.UserInfo(s.User, s.Password)},
		"token":    {s.TokenAddr, fmt.Sprintf("token: %q", s.Token), nats.Token(s.Token)},
	} {
		t.Run(name, func(t *testing.T) {
			nc, err := nats.Connect("tls://"+c.addr, nats.Secure(s.TLS(t)), c.login, nats.Timeout(patience))
			if err != nil {
				t.Fatal(err)
			}
			defer nc.Close()
			js, err := jetstream.New(nc, jetstream.WithDefaultTimeout(patience))
			if err != nil {
				t.Fatal(err)
			}
			topic := topicName()
			if _, err := js.CreateStream(t.Context(), jetstream.StreamConfig{Name: topic, Subjects: []string{topic}, Storage: jetstream.MemoryStorage}); err != nil {
				t.Fatal(err)
			}
			defer func() { _ = js.DeleteStream(t.Context(), topic) }()
			deliverTwo(t, fmt.Sprintf("{type: nats, url: %q, %s, tls: {%s}}", "tls://"+c.addr, c.keys, files(s)), topic)
		})
	}
}

func TestRedisIsReachedOverTLSWithAPassword(t *testing.T) {
	s := testenv.Secure(t, testenv.Redis)
	deliverTwo(t, fmt.Sprintf("{type: redis, url: %q, username: %q, password: %q, tls: {%s}}", "rediss://"+s.Addr+"/0", s.User, s.Password, files(s)), topicName())
}

// A topic that exists is not needed: the connection is what fails. On a machine
// that stands still it fails first because it takes too long.
func TestALoginOrAnAuthorityThatIsWrongSpendsNoAttempt(t *testing.T) {
	kafka, rabbit := testenv.Secure(t, testenv.Kafka), testenv.Secure(t, testenv.RabbitMQ)
	for name, c := range map[string]struct{ sender, want string }{
		"password of Kafka":     {fmt.Sprintf("{type: kafka, brokers: [%q], username: %q, password: wrong, tls: {enabled: true, %s}}", kafka.Addr, kafka.User, files(kafka)), "check the user, the password"},
		"authority of Kafka":    {fmt.Sprintf("{type: kafka, brokers: [%q], username: %q, password: %q, tls: {enabled: true}}", kafka.Addr, kafka.User, kafka.Password), "ca-file"},
		"password of RabbitMQ":  {fmt.Sprintf("{type: rabbit_mq, url: %q, username: %q, password: wrong, tls: {%s}}", "amqps://"+rabbit.Addr+"/", rabbit.User, files(rabbit)), "check the user and the password"},
		"authority of RabbitMQ": {fmt.Sprintf("{type: rabbit_mq, url: %q, username: %q, password: %q}", "amqps://"+rabbit.Addr+"/", rabbit.User, rabbit.Password), "ca-file"},
	} {
		t.Run(name, func(t *testing.T) {
			await.Until(t, "the log says "+c.want, func() bool { return strings.Contains(spendsNoAttempt(t, c.sender), c.want) })
		})
	}
}

// A server may close the connection before the client has read why, so that the
// log says it sooner or later.
func TestACertificateThatIsMissingSpendsNoAttempt(t *testing.T) {
	kafka := testenv.Secure(t, testenv.Kafka)
	sender := fmt.Sprintf("{type: kafka, brokers: [%q], username: %q, password: %q, tls: {enabled: true, ca-file: %q}}", kafka.Addr, kafka.User, kafka.Password, kafka.CAFile)
	await.Until(t, "the log says cert-file", func() bool { return strings.Contains(spendsNoAttempt(t, sender), "cert-file") })
}

// spendsNoAttempt checks that a sender whose broker cannot be reached gives its
// events back as they were, and returns the log.
func spendsNoAttempt(t *testing.T, sender string) string {
	t.Helper()
	file := newFile(t)
	load(t, file, "outbox: {}").once()
	r := load(t, file, fmt.Sprintf("outbox: {publisher: {sender: %s, events: {a: {topic: orders}}}}", sender))
	r.insert("a", 2)
	if got := r.once(); got != "2 released" {
		t.Errorf("got %s", got)
	}
	if n := r.count("SELECT sum(attempts) FROM outbox_event"); n != 0 {
		t.Errorf("%d attempts were spent", n)
	}
	return r.log.String()
}

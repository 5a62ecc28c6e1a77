package redissink

import (
	"net"
	"os/exec"
	"strconv"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/internal/await"
	"github.com/sendoff-go/outbox/internal/faultproxy"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/sinktest"
)

// A cluster client has its own way of retrying.
func TestSinkOfACluster(t *testing.T) {
	direct, server := startCluster(t)
	sinktest.Run(t, func(t testing.TB) sinktest.Subject {
		proxy := faultproxy.New(t, server)
		announce(t, direct, proxy.Addr())
		stream := newStream(t, direct)
		cfg := Config{Addrs: []string{proxy.Addr()}, RequireStream: true}
		hasty := cfg
		hasty.Timeout = 3 * time.Second
		return sinktest.Subject{
			Sink: open(t, cfg), Destination: stream, Faults: proxy,
			SendTimeout: hasty.Timeout, Hasty: func(t testing.TB) outbox.Sink { return open(t, hasty) }, Unroutable: "ob:no-such-stream",
			Reopen: func(t testing.TB) outbox.Sink { return open(t, cfg) },
			Receive: func(n int, wait time.Duration) []sinktest.Arrival {
				var as []sinktest.Arrival
				for _, x := range receive(t, direct, stream, n, wait) {
					as = append(as, sinktest.Arrival{Received: Message(x)})
				}
				return as
			},
		}
	})
}

// The client retries by default.
func TestSinkOnTheCallersClient(t *testing.T) {
	sinktest.Run(t, func(t testing.TB) sinktest.Subject {
		s := subject(t)
		client := redis.NewClient(&redis.Options{
			Addr: s.Faults.(*faultproxy.Proxy).Addr(), ContextTimeoutEnabled: true, ReadTimeout: patience, WriteTimeout: patience,
		})
		t.Cleanup(func() { _ = client.Close() })
		s.Sink = open(t, Config{Client: client, RequireStream: true})
		s.Hasty = func(t testing.TB) outbox.Sink {
			return open(t, Config{Client: client, RequireStream: true, Timeout: s.SendTimeout})
		}
		s.Reopen = nil
		return s
	})
}

// startCluster starts a cluster of one node that stops with the test, and
// returns a client of that node and its address.
func startCluster(t *testing.T) (client *redis.Client, address string) {
	t.Helper()
	testenv.URL(t, testenv.Redis) // skips the test without a server
	program, err := exec.LookPath("redis-server")
	if err != nil {
		t.Fatal("redis-server is not in PATH: install it, or unset OUTBOX_TEST_REDIS")
	}
	up := false
	for try := 0; !up; try++ { // a port that was free may be somebody's by now
		if try == 10 {
			t.Fatal("the node ends whatever its ports are")
		}
		address = freeAddress(t)
		client, up = startNode(t, program, address)
	}
	if err := client.ClusterAddSlotsRange(t.Context(), 0, 16383).Err(); err != nil {
		t.Fatal(err)
	}
	await.Until(t, "the cluster is there", func() bool {
		info, err := client.ClusterInfo(t.Context()).Result()
		return err == nil && len(info) > 0 && info[:len("cluster_state:ok")] == "cluster_state:ok"
	})
	return client, address
}

// startNode starts a node at that address, and reports whether it could listen.
func startNode(t *testing.T, program, address string) (client *redis.Client, up bool) {
	t.Helper()
	node := exec.CommandContext(t.Context(), program, "--bind", "127.0.0.1", "--port", portOf(t, address), "--dir", t.TempDir(), "--save", "",
		"--cluster-enabled", "yes", "--cluster-port", portOf(t, freeAddress(t)))
	if err := node.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		_ = node.Wait() // it is killed when the context ends
		close(ended)
	}()
	t.Cleanup(func() { <-ended })
	client = unhurried(t, &redis.Options{Addr: address})
	await.Until(t, "the node answers, or has ended", func() bool {
		select {
		case <-ended:
			return true
		default:
			up = client.Ping(t.Context()).Err() == nil
			return up
		}
	})
	return client, up
}

// announce makes the node announce that address to clients.
func announce(t testing.TB, node *redis.Client, address string) {
	t.Helper()
	for name, value := range map[string]string{"cluster-announce-ip": "127.0.0.1", "cluster-announce-port": portOf(t, address)} {
		if err := node.ConfigSet(t.Context(), name, value).Err(); err != nil {
			t.Fatal(err)
		}
	}
}

func portOf(t testing.TB, address string) string {
	t.Helper()
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		t.Fatal(err)
	}
	return port
}

func freeAddress(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return net.JoinHostPort("127.0.0.1", strconv.Itoa(l.Addr().(*net.TCPAddr).Port))
}

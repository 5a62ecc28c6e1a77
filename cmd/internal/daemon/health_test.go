package daemon

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox/internal/testenv"
)

// get is the status and text of an address of the daemon.
func get(t *testing.T, addr, path string) (int, string) {
	t.Helper()
	resp, err := http.Get("http://" + addr + path)
	if err != nil {
		return 0, err.Error()
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	http.DefaultClient.CloseIdleConnections()
	return resp.StatusCode, string(body)
}

func TestADaemonWhoseDatabaseIsNotThereIsAliveAndNotReadyAndWaits(t *testing.T) {
	addr, folder := testenv.Address(t), filepath.Join(t.TempDir(), "later")
	r := load(t, filepath.Join(folder, "shop.db"), "outbox: {admin: {addr: '"+addr+"'}, publisher: {enabled: false}, consumer: {enabled: true}}")
	stop := r.run()
	r.until("it says what it waits for", func() bool {
		code, text := get(t, addr, "/readyz")
		return code == http.StatusServiceUnavailable && strings.Contains(text, "waiting for the database: there is no folder "+folder)
	})
	r.until("it is alive", func() bool { code, text := get(t, addr, "/livez"); return code == http.StatusOK && text == "alive\n" })
	if n := strings.Count(r.log.String(), "waiting for the database"); n != 1 {
		t.Errorf("logged %d times", n)
	}
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	r.until("it is ready", func() bool { code, _ := get(t, addr, "/readyz"); return code == http.StatusOK })
	if err := stop(); err != nil {
		t.Error(err)
	}
	if code, _ := get(t, addr, "/livez"); code != 0 {
		t.Error("it still answers")
	}
}

func TestADestinationThatIsAwayIsToldAndDoesNotMakeTheDaemonUnready(t *testing.T) {
	addr, gone := testenv.Address(t), testenv.Address(t)
	r := load(t, newFile(t), fmt.Sprintf("outbox: {admin: {addr: '%s'}, publisher: {sender: {type: http, url: 'http://%s'}, defaults: {fixed-delay: 100ms}, events: {a: {topic: /x}}}}", addr, gone))
	r.run()
	r.until("it is ready", func() bool { code, text := get(t, addr, "/readyz"); return code == http.StatusOK && text == "ready\n" })
	r.insert("a", 1)
	r.until("it is told", func() bool {
		code, text := get(t, addr, "/readyz")
		return code == http.StatusOK && strings.Contains(text, "\nunavailable: default#0:/***** (a): ")
	})
	r.until("it is counted", func() bool {
		_, text := get(t, addr, "/metrics")
		return strings.Contains(text, "\noutbox_destinations_down 1\n")
	})
	r.do("INSERT INTO outbox_destination (destination, paused, changed_by) VALUES ('default#0:/***** (a)', 1, 'ann')")
	r.until("a pause is told instead", func() bool {
		code, text := get(t, addr, "/readyz")
		_, metrics := get(t, addr, "/metrics")
		return code == http.StatusOK && text == "ready\npaused: default#0:/***** (a)\n" &&
			strings.Contains(metrics, "\noutbox_destinations_down 0\n") && strings.Contains(metrics, "\noutbox_destinations_paused 1\n")
	})
}

func TestADestinationThatStaysDownRaisesAnAlert(t *testing.T) {
	gone := testenv.Address(t)
	r := load(t, newFile(t), fmt.Sprintf("outbox: {alerts: {enabled: true, interval: 1s, destination-down-for: 3s}, publisher: {sender: {type: http, url: 'http://%s'}, defaults: {fixed-delay: 100ms}, events: {a: {topic: /x}}}}", gone))
	r.run()
	r.insert("a", 1)
	r.until("the alert is raised", func() bool { return strings.Contains(r.log.String(), "rule=destination-down") })
}

func TestMetricsExistFromTheStartWithTheLabelsOfTheConfiguration(t *testing.T) {
	h, addr := newHook(t), testenv.Address(t)
	gauges := "metrics: {gauge: {enabled: true, cache: {ttls: [1ms, 1ms, 1ms]}}}"
	r := load(t, newFile(t), fmt.Sprintf("outbox: {admin: {addr: '%s'}, publisher: {%s, dlq: {%s}, sender: {type: http, url: '%s'}, defaults: {fixed-delay: 100ms}, events: {order-*: {}, b: {}}}}", addr, gauges, gauges, h.URL))
	r.run()
	var text string
	r.until("it has counted", func() bool {
		_, text = get(t, addr, "/metrics")
		return strings.Contains(text, "\noutbox_events 0\n") && strings.Contains(text, "\noutbox_dlq_events 0\n")
	})
	for _, want := range []string{
		`outbox_events_rate_total{event_type="b",status="processed"} 0`, `outbox_events_rate_total{event_type="order-*",status="failed"} 0`,
		`outbox_events_rate_total{event_type="other",status="failed"} 0`, `outbox_events_by_type_rate_total{type="recovered"} 0`,
		`outbox_dlq_events_rate_total{event_type="b",status="moved"} 0`, `consumed_outbox_events_total{type="cleaned"} 0`,
		`outbox_oldest_event_lag_seconds{event_type="b"} 0`, `outbox_publish_duration_seconds_count{event_type="b"} 0`,
		"outbox_events 0", `outbox_events_by_status{status="pending"} 0`, `outbox_events_by_event_type_and_status{event_type="b",status="in_process"} 0`,
		"outbox_dlq_events 0", `outbox_dlq_events_by_event_type_and_status{event_type="other",status="moved"} 0`, "outbox_destinations_down 0",
		`outbox_loop_errors_total{loop="claim"} 0`,
	} {
		if !strings.Contains(text, want+"\n") {
			t.Errorf("there is no %s", want)
		}
	}
	r.insert("order-1", 1)
	r.insert("order-2", 1)
	for i := range 3 {
		r.insert(fmt.Sprint("stranger-", i), 1)
	}
	r.until("they are counted", func() bool {
		_, text = get(t, addr, "/metrics")
		return strings.Contains(text, `outbox_events_rate_total{event_type="order-*",status="processed"} 2`) &&
			strings.Contains(text, `outbox_events_by_event_type_and_status{event_type="other",status="pending"} 3`)
	})
	for _, unbounded := range []string{"order-1", "stranger-1"} {
		if strings.Contains(text, unbounded) {
			t.Errorf("%s is a label", unbounded)
		}
	}
}

func TestAnAddressThatIsTakenEndsTheDaemon(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	r := load(t, newFile(t), "outbox: {admin: {addr: '"+l.Addr().String()+"'}}")
	if err := r.d.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "outbox.admin.addr: ") {
		t.Errorf("got %v", err)
	}
}

func TestTablesThatNobodyMadeAreWaitedFor(t *testing.T) {
	file := newFile(t)
	load(t, file, "outbox: {tables: {event: a, dead-letter: b, control: c, instance: d, consumed: e, audit: g, version: f}}").once()
	r := load(t, file, "outbox: {tables: {auto-create: false}, publisher: {enabled: false}, consumer: {enabled: true}}")
	stop := r.run()
	r.until("it waits", func() bool { return strings.Contains(r.log.String(), "outbox migrate up") })
	load(t, file, "outbox: {}").once()
	r.until("it is ready", func() bool { ok, _ := r.d.health.ready(t.Context()); return ok })
	if err := stop(); err != nil {
		t.Error(err)
	}
}

package console_test

import (
	"errors"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/admin/console"
	"github.com/sendoff-go/outbox/alert"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/memkit"
)

// in sends a request of a browser in a language, and returns what the page says.
func (r *letterRig) in(lang string, role admin.Role, method, path string, form url.Values) string {
	r.t.Helper()
	req, err := http.NewRequestWithContext(r.t.Context(), method, r.server.URL+"/x/console/"+path, strings.NewReader(form.Encode()))
	if err != nil {
		r.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+string(role))
	req.Header.Set("Accept-Language", lang)
	if method == http.MethodPost {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	text := r.sent(req).text
	if strings.Contains(text, "<script>alert") {
		r.t.Errorf("%s has a script of somebody", path)
	}
	return html.UnescapeString(text)
}

// broken is a state that breaks every rule, with all that their texts can have.
func broken(r *letterRig) (all []driver.Sighting) {
	r.t.Helper()
	late := driver.LaneStats{Lane: "Order" + hostile, OldestDue: 10 * time.Minute}
	down := driver.InstanceDestination{Name: "kafka", Down: 5 * time.Minute, Reason: "dial tcp: 100% of brokers refused"}
	for _, s := range []alert.State{
		{AloneFor: time.Hour, Dead: driver.Count{N: 12}},
		{Lanes: []driver.LaneStats{late}, Relays: []driver.Instance{{Destinations: []driver.InstanceDestination{down}}}},
		{Lanes: []driver.LaneStats{{Lane: "Paused", OldestDue: time.Hour}}, Paused: []driver.Pause{{Pausable: driver.PausableLane("Paused")}}},
		{Lanes: []driver.LaneStats{{Lane: "Held", OldestDue: time.Hour}}, Paused: []driver.Pause{{Pausable: driver.PausableDestination("mails")}}},
	} {
		all = append(all, alert.Rules{}.Evaluate(s)...)
	}
	err := r.store.Announce(r.t.Context(), driver.Instance{Owner: "relay-1"}) // without one, the overview says so instead
	if err = errors.Join(err, r.store.SeeAlerts(r.t.Context(), all, time.Hour)); err != nil {
		r.t.Fatal(err)
	}
	return all
}

func TestAlertsOfEveryRuleAreInChinese(t *testing.T) {
	r := newLetterRig(t)
	all := broken(r)
	chinese := []string{
		"没有存活的中继，因此不会投递任何事件。",
		"在 15m 内成为死信的事件中，尚未解决的条数：12。",
		"类型 Order" + hostile + " 的一个事件已到期 10m 仍未投递。",
		"没有中继处理类型 Order" + hostile + " 的事件。最早的一个已到期 10m。",
		"目标 kafka 已不可用 5m：dial tcp: 100% of brokers refused",
		"类型 Paused 的一个事件已到期 1h 仍未投递。该类型已暂停。",
		"类型 Held 的一个事件已到期 1h 仍未投递。已暂停的目标：mails。",
	}
	rules := map[string]bool{}
	for _, a := range all {
		rules[a.Rule] = true
	}
	if len(all) != len(chinese) || len(rules) != 5 {
		t.Fatalf("%d alerts of %d rules", len(all), len(rules))
	}
	for _, page := range []string{"alerts", "timeline", ""} {
		zh, en := r.in("zh-CN", admin.Viewer, http.MethodGet, page, nil), r.in("en", admin.Viewer, http.MethodGet, page, nil)
		for _, a := range all {
			if strings.Contains(zh, a.Text) {
				t.Errorf("%q is English on the page %q", a.Text, page)
			}
		}
		for _, text := range chinese {
			if strings.Contains(en, text) {
				t.Errorf("%q is Chinese on the page %q", text, page)
			}
		}
		for i, text := range chinese {
			r.has("in Chinese, the page "+page, zh, text)
			r.has("in English, the page "+page, en, all[i].Text)
		}
		if page == "" {
			shown := regexp.MustCompile(`(?s)id="strip-alert".*?<b role="status" title="([^"]*)"`).FindStringSubmatch(zh)
			if shown == nil || !slices.ContainsFunc(chinese, func(text string) bool { return strings.HasPrefix(text, shown[1]) }) {
				t.Errorf("the overview shows %q", shown)
			}
		}
	}
	r.has("the form", r.in("zh-CN", admin.Operator, http.MethodGet, "alerts/mute?id="+url.QueryEscape(all[0].ID()), nil), chinese[0])
	if err := r.store.SeeAlerts(t.Context(), nil, 0); err != nil {
		t.Fatal(err)
	}
	r.has("what is over", r.in("zh-CN", admin.Viewer, http.MethodGet, "alerts?state=resolved", nil), chinese...)
}

func TestRefusalsWithValuesAreInChinese(t *testing.T) {
	r := newLetterRig(t, func(c *console.Config) { c.API.ConsentOver = 1 })
	var ids []string
	for range 2 {
		ids = append(ids, memkit.Write(t, r.store, outbox.Event{Type: "a", JSON: []byte("1")})...)
	}
	memkit.Settle(t, r.store, "a", driver.Outcome{Kind: driver.Dead}, true)
	if err := r.store.Announce(t.Context(), driver.Instance{Owner: "relay-1", Destinations: []driver.InstanceDestination{{Name: "mails", Lanes: []string{"b"}}}}); err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("k", 200)
	for _, c := range []struct {
		role             admin.Role
		method, path     string
		form             url.Values
		english, chinese string
	}{
		{admin.Operator, "GET", "jobs/new?action=replay&destination=" + url.QueryEscape(hostile) + "&count=1", nil,
			"No running relay has the destination", `没有运行中的中继有目标 "<script>alert(\"x\")</script>"：请按目标列表中的名称填写，或改为按类型选择。`},
		{admin.Operator, "GET", "jobs/new?action=replay&type=a&destination=mails&count=1", nil,
			"go to \"mails\": leave the destination out", `没有运行中的中继声明类型 "a" 的事件发往 "mails"：去掉目标即可重新投递到它们现在的去处。`},
		{admin.Admin, "GET", "jobs/new?action=erase&type=a&count=1", nil, "An erasure needs a tenant or a key", "擦除需要租户或键：请说明擦除谁的事件。"},
		{admin.Operator, "GET", "jobs/new?action=replay&type=a&rate=100001&count=1", nil,
			"Validation failed; body.rate: expected number <= 100000.", "请求无效：body.rate：数值不得大于 100000。"},
		{admin.Viewer, "GET", "events?key=" + long, nil, "query.key: expected length <= 128.", "请求无效：query.key：长度不得超过 128。"},
		{admin.Viewer, "GET", "audit?action=" + url.QueryEscape(hostile), nil, "query.action: expected value to be one of", "请求无效：query.action：须为以下之一：retry, replay"},
		{admin.Viewer, "GET", "audit?before=x", nil, "query.before: invalid integer", "query.before：不是整数"},
		{admin.Viewer, "GET", "audit?acted_after=2026-02-01&acted_before=2026-01-01", nil,
			"Nothing is between acted_after and acted_before", "“acted_after”与“acted_before”之间没有任何时间：请交换两者，或更正其中一个。"},
		{admin.Viewer, "GET", "dead-letters/list?payload=x", nil, "write a path and a value", "载荷：请写出路径和值，例如 $.customer.id=4711。"},
		{admin.Viewer, "GET", "dead-letters/list?key=%00", nil, "Key is not text", "“键”不是文本：含有 NUL 字节，或不是 UTF-8。"},
		{admin.Viewer, "GET", "dead-letters/group?id=none", nil, "No group has this id", "没有使用该 ID 的分组：它随其死信一起被删除，或从未存在。"},
		{admin.Viewer, "POST", "alerts/mute", url.Values{"id": {"1"}, "for": {"4h"}}, "This is for the role operator, and yours is viewer.", "此操作需要角色“操作员”，而您的角色是“查看者”。"},
		{admin.Operator, "POST", "pause", url.Values{"type": {strings.Repeat("t", 129)}, "paused": {"true"}}, "The name of a type has 1 to 128 characters", "类型的名称须为 1 到 128 个有效的 UTF-8 字符，不含 NUL。"},
		{admin.Operator, "POST", "dead-letters/act", url.Values{"action": {"retry"}, "id": ids},
			"2 letters are more than the 1 that one person may change", "2 条死信超过了一个人可以更改的 1 条：请按筛选条件启动任务，由第二个人同意。"},
	} {
		r.has("in English, "+c.path, r.in("en", c.role, c.method, c.path, c.form), c.english)
		zh := r.in("zh-CN", c.role, c.method, c.path, c.form)
		if r.has("in Chinese, "+c.path, zh, c.chinese); strings.Contains(zh, c.english) {
			t.Errorf("%s says in Chinese as well: %s", c.path, c.english)
		}
	}
}

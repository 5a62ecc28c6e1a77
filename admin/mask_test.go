package admin_test

import (
	"strings"
	"testing"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/memstore"
)

// died is a store with one letter of that payload.
func died(e outbox.Event) func(*admin.Config) {
	l := driver.DeadLetter{}
	l.Event = e
	l.Event.ID = "a"
	return func(c *admin.Config) {
		c.Store = foreign{c.Store.(*memstore.Store), []driver.DeadLetter{l}}
	}
}

func masks(patterns ...string) func(*admin.Config) {
	return func(c *admin.Config) { c.Mask = patterns }
}

func TestMaskedFieldsAreForAdminsOnly(t *testing.T) {
	for name, c := range map[string]struct {
		mask          []string
		payload, want string
	}{
		"a path":                  {[]string{"$.card.number"}, `{"card":{"number":4711,"name":"x"},"number":1}`, `{"card":{"number":"***","name":"x"},"number":1}`},
		"a name anywhere":         {[]string{"password"}, `{"password":"a","user":{"password":{"old":1}}}`, `{"password":"***","user":{"password":"***"}}`},
		"in arrays":               {[]string{"$.items.pin", "cvc"}, `{"items":[{"pin":1},[{"pin":2,"cvc":[1,2]}]]}`, `{"items":[{"pin":"***"},[{"pin":"***","cvc":"***"}]]}`},
		"with [*] as well":        {[]string{"$.items[*].pin"}, `{"items":[{"pin":1}]}`, `{"items":[{"pin":"***"}]}`},
		"an array at the root":    {[]string{"$.pin"}, `[{"pin":1},{"pin":2}]`, `[{"pin":"***"},{"pin":"***"}]`},
		"any field":               {[]string{"$.*.pin"}, `{"a":{"pin":1},"b":{"c":{"pin":2}},"pin":3}`, `{"a":{"pin":"***"},"b":{"c":{"pin":2}},"pin":3}`},
		"in whatever case":        {[]string{"passWord"}, `{"PASSWORD":1,"pass\u0077ord":2}`, `{"PASSWORD":"***","pass\u0077ord":"***"}`},
		"twice":                   {[]string{"pin"}, `{"pin":1,"pin":2}`, `{"pin":"***","pin":"***"}`},
		"null, true and no space": {[]string{"pin"}, "{\"a\":[null,true],\n \"pin\" : null ,\"b\":1e400}", "{\"a\":[null,true],\n \"pin\" : \"***\" ,\"b\":1e400}"},
		"a value is not a field":  {[]string{"pin"}, `{"a":"pin","b":["pin","x"]}`, `{"a":"pin","b":["pin","x"]}`},
		"a scalar":                {[]string{"pin"}, `"pin"`, `"pin"`},
		"a text with JSON":        {[]string{"pin"}, `"{\"pin\":1}"`, `"***"`},
		"JSON in a field":         {[]string{"$.body.pin"}, `{"body":"{\"pin\":1}","b":"{\"pin\":1}","c":"{pin"}`, `{"body":"***","b":"{\"pin\":1}","c":"{pin"}`},
		"JSON in an array, twice": {[]string{"pin"}, `["a", "\"[{\\\"pin\\\":1}]\"" ,"{\"a\":1}"]`, `["a", "***" ,"{\"a\":1}"]`},
		"half a payload":          {[]string{"pin"}, `{"pin":1`, `"***"`},
		"two payloads":            {[]string{"pin"}, `{"a":1}{"pin":1}`, `"***"`},
		"no payload":              {[]string{"pin"}, ``, `"***"`},
		"too deep":                {[]string{"pin"}, strings.Repeat(`[`, 20_000) + strings.Repeat(`]`, 20_000), `"***"`},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, died(outbox.Event{JSON: []byte(c.payload)}), masks(c.mask...))
			for role, want := range map[admin.Role]string{admin.Viewer: c.want, admin.Operator: c.want, admin.Admin: c.payload} {
				var l, m struct {
					Payload string `json:"payload"`
				}
				var list []struct {
					Payload string `json:"payload"`
				}
				r.want(200, r.send(role, "GET", "/api/v1/dead-letters/a", ""), &l)
				r.want(200, r.send(role, "GET", manual+"/a", ""), &m)
				r.want(200, r.send(role, "GET", manual, ""), &list)
				if l.Payload != want || m.Payload != want || list[0].Payload != want {
					t.Errorf("%s sees %s, %s and %s, want %s", role, l.Payload, m.Payload, list[0].Payload, want)
				}
			}
		})
	}
}

func TestWithAMaskNothingIsSeenOfWhatIsNotJSON(t *testing.T) {
	r := newRig(t, died(outbox.Event{Bytes: []byte("pin=4711"), Headers: map[string]string{"PIN": "4711", "a": "b"}}), masks("pin"))
	for role, whole := range map[admin.Role]bool{admin.Viewer: false, admin.Operator: false, admin.Admin: true} {
		var l admin.Letter
		r.want(200, r.send(role, "GET", "/api/v1/dead-letters/a", ""), &l)
		if shown := l.PayloadBytes != nil && string(*l.PayloadBytes) == "pin=4711" && l.Headers["PIN"] == "4711"; shown != whole || l.Headers["a"] != "b" {
			t.Errorf("%s sees %+v", role, l)
		}
		if !whole && (l.PayloadBytes != nil || l.Payload != `"***"` || l.Headers["PIN"] != "***") {
			t.Errorf("%s sees %+v", role, l)
		}
	}
}

func TestALetterIsRetriedAsItWasAndNotAsItIsShown(t *testing.T) {
	r := newRig(t, masks("n"))
	id := r.kill("order-placed", "refused", 1)[0]
	r.want(200, r.send(admin.Operator, "POST", "/api/v1/dead-letters/retry", `{"ids":`+ids([]string{id})+`}`), nil)
	cs, err := r.store.Claim(r.t.Context(), driver.ClaimRequest{Owner: driver.NewOwner("a"), Lease: 1e9, Wants: []driver.Want{{Lane: "order-placed", Rows: 1}}})
	if err != nil || len(cs) != 1 || string(cs[0].Event.JSON) != `{"n":0}` {
		t.Errorf("%+v, %v", cs, err)
	}
}

func TestAMaskThatCannotWorkIsRefused(t *testing.T) {
	for _, pattern := range []string{"", "$", "$.", "$.a..b", "card.number", "$.a[0].b", "*", "a$b", "$.a]"} {
		_, err := admin.New(admin.Config{Store: memstore.New(memstore.Config{}), Auth: admin.Anyone(admin.Viewer), Mask: []string{pattern}})
		if err == nil || admin.CheckMask(pattern) == nil || !strings.Contains(err.Error(), "$.card.number") {
			t.Errorf("%q: %v", pattern, err)
		}
	}
}

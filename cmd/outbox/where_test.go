package main

import (
	"strings"
	"testing"
)

func TestWhereIsTheFlagOfItsField(t *testing.T) {
	s := serve(t)
	s.exec(t, seeds...)
	if got := s.through(t, "ann", "pause OrderMoved"); got.code != exitOK { // for the audit log
		t.Fatal(got.stderr)
	}
	for _, c := range []struct{ all, flags, where string }{
		{"dlq list -o json", "--type OrderPlaced", "--where type=OrderPlaced"},
		{"dlq list -o json", "--type OrderPlaced --error gateway", "--where type=OrderPlaced --where error=gateway"},
		{"dlq list -o json", "--tenant acme --key 7", "--tenant acme --where key=7"},
		{"dlq list -o json", "--group 9f86 --destination x", "--where group=9f86 --where destination=x"},
		{"dlq list -o json", "--payload $.n=1", "--where payload=$.n=1"},
		{"dlq list -o json", "--before 2023-11-14T22:13:22Z", "--where before=2023-11-14T22:13:22Z"},
		{"dlq groups -o json", "--type OrderPaid", "--where type=OrderPaid"},
		{"dlq groups -o json", "--destination nats --reason gateway", "--where destination=nats --where reason=gateway"},
		{"dlq groups -o json", "--state muted --by bob", "--where state=muted --where by=bob"},
		{"dlq groups -o json", "--after 1d", "--where after=1d"},
		{"dlq retry --dry-run", "--error bank", "--where error=bank"},
		{"dlq resolve --dry-run", "--type OrderPaid", "--where type=OrderPaid"},
		{"dlq delete --dry-run", "--key 7", "--where=key=7"},
		{"events list -o json", "--status waiting --tenant acme", "--where status=waiting --where tenant=acme"},
		{"events list -o json", "--payload $.n=1", "--where payload=$.n=1"},
		{"replay --dry-run", "--destination kafkasink#0:orders", "--where destination=kafkasink#0:orders"},
		{"erase --dry-run", "--tenant acme", "--where tenant=acme"},
		{"alerts -o json", "--rule no-relay", "--where rule=no-relay"},
		{"jobs -o json", "--action replay", "--where action=replay"},
		{"audit -o json", "--by nobody", "--where by=nobody"},
	} {
		direct := func(line string) asked {
			code, out, errs := call(t.Context(), append(words(line), "--database", s.address)...)
			return asked{code, out, errs}
		}
		through := func(line string) asked { return s.through(t, "ann", line) }
		for how, ask := range map[string]func(string) asked{"directly": direct, "through the API": through} {
			want, got, all := ask(c.all+" "+c.flags), ask(c.all+" "+c.where), ask(c.all)
			if want.code != exitOK || got != want {
				t.Errorf("%s %s, %s: %+v, want %+v", c.all, c.where, how, got, want)
			}
			if all.stdout == got.stdout {
				t.Errorf("%s %s, %s: it filters nothing: %s", c.all, c.where, how, got.stdout)
			}
		}
	}
}

func TestWhereIsRefusedIfItIsUnclear(t *testing.T) {
	s := serve(t)
	s.exec(t, seeds...)
	for line, want := range map[string]string{
		"dlq list --where type":                             `--where is "type": write field=value, with one of the fields after, before, destination, error, group, key, payload, tenant, type`,
		"dlq list --where =x":                               `--where is "=x": the fields are after, before,`,
		"dlq list --where ''":                               `--where is "": write field=value`,
		"dlq list --where tpye=x":                           `--where is "tpye=x": did you mean type? the fields are after,`,
		"dlq list --where Type=x":                           `did you mean type?`,
		"dlq list --where limit=1":                          `--where is "limit=1": the fields are`,
		"dlq groups --where error=x":                        `--where is "error=x": the fields are after, before, by, destination, reason, state, type`,
		"dlq groups --where state=lost":                     `--state is "lost": use new, investigating or muted`,
		"dlq groups --where before=soon":                    `--before is "soon"`,
		"dlq retry --yes --where by=ann":                    `--where is "by=ann": `,
		"dlq retry --yes --where type=":                     `--where is "type=": give type a value, or leave it out`,
		"dlq delete --yes --where type=a --where type=b":    `--where has type twice: give it once`,
		"dlq delete --yes --type a --type b":                `--type is given 2 times: give it once`,
		"audit --by ann --by bob":                           `--by is given 2 times: give it once`,
		"dlq delete --yes --type a --where type=a":          `--where and --type both give type: pass one of them`,
		"dlq delete --yes --all --where type=a":             `--all does not go with`,
		"dlq delete --yes a1 --where type=a":                `name ids, or choose by`,
		"dlq delete --yes":                                  `nothing chosen`,
		"dlq list --where before=soon":                      `--before is "soon"`,
		"dlq list --where payload=n":                        `--payload is "n"`,
		"dlq list --where key=\xff":                         `--key is not UTF-8`,
		"dlq list --where key=" + strings.Repeat("k", 129):  `--key has 129 characters: give it at most 128`,
		"events tail --where after=1h":                      `--where is "after=1h": the fields are key, payload, tenant, type`,
		"events list --where status=lost":                   `--status is "lost"`,
		"alerts --where state=lost":                         `--state is "lost"`,
		"erase --yes --where type=x":                        `the fields are key, tenant`,
		"dlq show a1 --where type=x":                        `unknown flag: --where: see`,
		"dlq edit a1 --header a=b --where type=OrderPlaced": `unknown flag: --where: see`,
	} {
		code, _, errs := call(t.Context(), append(words(line), "--database", s.address)...)
		if code != exitUsage || !strings.Contains(errs, want) {
			t.Errorf("%.60q directly: %d %s", line, code, errs)
		}
		if got := s.through(t, "ann", line); got.code != exitUsage || !strings.Contains(got.stderr, want) {
			t.Errorf("%.60q through the API: %d %s", line, got.code, got.stderr)
		}
	}
}

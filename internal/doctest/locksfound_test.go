package doctest

import (
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

func TestALockThatIsNotNamedIsFound(t *testing.T) {
	const table = "### Who\n\nAtomic: `n` of `t`.\n\n| lock | owner |\n| --- | --- |\n" +
		"| `mu` | `t` (`it.go`) |\n| `made`: `sync.Once` | `u`, `v` (`it.go`) |\n"
	for src, want := range map[string]struct{ lacking, without int }{
		"type t struct { mu sync.Mutex; n atomic.Int64 }; type u struct { made sync.Map }; var o = new(sync.Once)": {0, 0},
		"type t struct { mu, more sync.Mutex }; type v struct { made sync.Once }":                                  {1, 0},
		"type t struct { m atomic.Pointer[int]; mu sync.RWMutex }":                                                 {1, 1},
		"type u struct { mu, made sync.Mutex }":                                                                    {1, 1},
		"type t struct { sync.Mutex }":                                                                             {1, 2},
		"type t struct { mu *sync.Mutex }; type u struct { made [4]sync.Once }":                                    {0, 0},
		"func f() { var n atomic.Int64; n.Add(1) }":                                                                {0, 2},
		"type t struct { mu sync.Mutex }; var m atomic.Int64":                                                      {1, 1},
		"type t struct { n int64 }; func (x *t) f() { atomic.AddInt64(&x.n, 1) }":                                  {1, 2},
		"type t struct { wg sync.WaitGroup }; var p sync.Pool":                                                     {0, 2},
		"func f() { var mu sync.Mutex; mu.Lock() }":                                                                {1, 2},
		"var f = sync.OnceFunc(nil)":                                                                               {1, 2},
	} {
		section := parse(table).sections()[0]
		all, lacking := heldBy(t, src), 0
		for _, h := range all {
			if h.lacks(section) {
				lacking++
			}
		}
		if without := len(rowsWithout(section, all)); lacking != want.lacking || without != want.without {
			t.Errorf("%s: %d are not named and %d rows have none, want %v", src, lacking, without, want)
		}
	}
}

func TestALockOrAtomicValueIsFoundWhateverHoldsIt(t *testing.T) {
	for src, want := range map[string]string{
		"type t struct { a, b atomic.Int64 }":                                "t.a t.b",
		"type t struct { n *atomic.Int64 }":                                  "t.n",
		"type t struct { n [4]atomic.Int64 }":                                "t.n",
		"type t struct { n []*atomic.Bool }":                                 "t.n",
		"type t struct { n map[string]*atomic.Bool }":                        "t.n",
		"type t struct { n chan (*atomic.Bool) }":                            "t.n",
		"type t struct { n []atomic.Pointer[int] }":                          "t.n",
		"type t struct { in struct { n atomic.Bool } }":                      "t.n",
		"type t struct { all map[int]struct { n atomic.Bool } }":             "t.n",
		"type t struct { *atomic.Bool }":                                     "t.Bool",
		"type t struct { mu *sync.RWMutex; more map[string]sync.Mutex }":     "t.mu t.more",
		"type t atomic.Int64":                                                "t",
		"type t []*atomic.Int64":                                             "t",
		"var n atomic.Int64":                                                 "n",
		"var a, b [2]atomic.Int64":                                           "a b",
		"var n = new(atomic.Int64)":                                          "n",
		"var n = &atomic.Int64{}":                                            "n",
		"var n = map[string]*atomic.Int64{}":                                 "n",
		"var all struct { n atomic.Int64 }":                                  "n",
		"var f = func() { var n atomic.Int64 }":                              "n",
		"func f() { n := make([]atomic.Int64, 4) }":                          "n",
		"func f() { g(new(atomic.Int64)) }":                                  "",
		"var last = atomic.LoadInt64(&n)":                                    "",
		"func f(n *atomic.Int64) *atomic.Int64 { return n }":                 "none",
		"type t struct { f func(*atomic.Int64) }":                            "none",
		"func f() { x.n = new(atomic.Int64); y := t{n: new(atomic.Int64)} }": "none",
		"func f() { n := x.(*atomic.Int64) }":                                "none",
		"type t struct { n int }; var wg sync.WaitGroup; var o other.Int64":  "none",
	} {
		got := "none"
		if all := heldBy(t, src); len(all) > 0 {
			var names []string
			for _, h := range all {
				names = append(names, h.String())
			}
			got = strings.Join(names, " ")
		}
		if got != want {
			t.Errorf("%s: found %q, want %q", src, got, want)
		}
	}
}

func heldBy(t *testing.T, src string) []held {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "it.go", "package p\n"+src, 0)
	if err != nil {
		t.Fatal(err)
	}
	return heldIn(file, "it.go")
}

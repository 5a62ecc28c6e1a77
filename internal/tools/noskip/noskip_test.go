package main

import (
	"strings"
	"testing"
)

const (
	packagePassed = `{"Action":"pass","Package":"x/p","Elapsed":0.5}`
	testPassed    = `{"Action":"run","Package":"x/p","Test":"TestA"}
{"Action":"output","Package":"x/p","Test":"TestA","Output":"=== RUN   TestA\n"}
{"Action":"pass","Package":"x/p","Test":"TestA"}`
	testSkipped = `{"Action":"run","Package":"x/p","Test":"TestS"}
{"Action":"output","Package":"x/p","Test":"TestS","Output":"=== RUN   TestS\n"}
{"Action":"output","Package":"x/p","Test":"TestS","Output":"    a_test.go:7: left out: mysql9 could not be had\n"}
{"Action":"output","Package":"x/p","Test":"TestS","Output":"--- SKIP: TestS (0.00s)\n"}
{"Action":"skip","Package":"x/p","Test":"TestS"}`
	testFailed = `{"Action":"run","Package":"x/p","Test":"TestF"}
{"Action":"output","Package":"x/p","Test":"TestF","Output":"    a_test.go:9: got 1, want 2\n"}
{"Action":"fail","Package":"x/p","Test":"TestF","Elapsed":1.5}`
)

func TestVerdict(t *testing.T) {
	for _, c := range []struct {
		name    string
		in      []string
		require bool
		leftOut []string
		ok      bool
		says    []string
	}{
		{
			name: "passing tests are well",
			in:   []string{testPassed, packagePassed}, require: true, ok: true,
			says: []string{"ok    x/p  0.5s  1 passed\n", "\n1 passed, 0 failed, 0 skipped\n"},
		}, {
			name: "a skip is well where it is allowed, and its reason is listed",
			in:   []string{testPassed, testSkipped, packagePassed}, ok: true,
			says: []string{"  1: left out: mysql9 could not be had\n     x/p TestS\n", "\n1 passed, 0 failed, 1 skipped\n"},
		}, {
			name: "a skip is a failure under -require",
			in:   []string{testPassed, testSkipped, packagePassed}, require: true, leftOut: []string{"mysql80"},
			says: []string{"No test may be skipped here, and 1 were.\n", "\n1 passed, 0 failed, 1 skipped\n"},
		}, {
			name: "a skip for a server that was left out is excused under -require",
			in:   []string{testPassed, testSkipped, packagePassed}, require: true, leftOut: []string{"mysql9"}, ok: true,
			says: []string{"     x/p TestS\n", "\n1 passed, 0 failed, 1 skipped\n"},
		}, {
			name: "a failure shows its output",
			in:   []string{testPassed, testFailed, `{"Action":"fail","Package":"x/p","Elapsed":2}`},
			says: []string{"FAIL: x/p TestF (1.50s)\n    a_test.go:9: got 1, want 2\n", "FAIL  x/p  2.0s  1 passed, 1 failed\n", "failed:\n  x/p TestF\n", "\n1 passed, 1 failed, 0 skipped\n"},
		}, {
			name: "a test that was running when the package died has failed",
			in: []string{
				`{"Action":"run","Package":"x/p","Test":"TestP"}`,
				`{"Action":"output","Package":"x/p","Test":"TestP","Output":"panic: test timed out\n"}`,
				`{"Action":"fail","Package":"x/p"}`,
			},
			says: []string{"FAIL: x/p TestP (did not end)\npanic: test timed out\n", "\n0 passed, 1 failed, 0 skipped\n"},
		}, {
			name: "a package that fails outside its tests has failed",
			in: []string{
				testPassed,
				`{"Action":"output","Package":"x/p","Output":"found unexpected goroutines\n"}`,
				`{"Action":"fail","Package":"x/p"}`,
			},
			says: []string{"FAIL: x/p (outside any test)\nfound unexpected goroutines\n", "\n1 passed, 1 failed, 0 skipped\n"},
		}, {
			name: "a package that does not build has failed and shows why",
			in: []string{
				`{"ImportPath":"x/p [x/p.test]","Action":"build-output","Output":"p.go:1:1: undefined: y\n"}`,
				`{"ImportPath":"x/p [x/p.test]","Action":"build-fail"}`,
				`{"Action":"fail","Package":"x/p","FailedBuild":"x/p [x/p.test]"}`,
			},
			says: []string{"FAIL: x/p (did not build)\np.go:1:1: undefined: y\n", "\n0 passed, 1 failed, 0 skipped\n"},
		}, {
			name: "output that ends before the package does is a failure",
			in:   []string{testPassed},
			says: []string{"FAIL: x/p (cut off", "\n1 passed, 1 failed, 0 skipped\n"},
		}, {
			name: "a package without tests is not a skipped test",
			in:   []string{testPassed, packagePassed, `{"Action":"output","Package":"x/q","Output":"?   x/q [no test files]\n"}`, `{"Action":"skip","Package":"x/q"}`},
			ok:   true, require: true,
			says: []string{"\n1 passed, 0 failed, 0 skipped\n"},
		}, {
			name: "no test at all is a failure",
			says: []string{"No test ran.\n", "\n0 passed, 0 failed, 0 skipped\n"},
		}, {
			name: "what is not an event is passed on",
			in:   []string{"go: warning: something", testPassed, packagePassed}, ok: true,
			says: []string{"go: warning: something\n"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out strings.Builder
			ok, err := run(strings.NewReader(strings.Join(c.in, "\n")), &out, c.require, c.leftOut)
			if err != nil {
				t.Fatal(err)
			}
			if ok != c.ok {
				t.Errorf("ok = %v, want %v", ok, c.ok)
			}
			for _, want := range c.says {
				if !strings.Contains(out.String(), want) {
					t.Errorf("the output lacks %q:\n%s", want, out.String())
				}
			}
		})
	}
}

func TestSkipsAreAllNamedOnlyWhereEachIsAFault(t *testing.T) {
	in := strings.Repeat(testSkipped+"\n", 5) + packagePassed
	for require, want := range map[bool]string{
		false: "  5: left out: mysql9 could not be had\n" + strings.Repeat("     x/p TestS\n", 3) + "     and 2 more\n",
		true:  "  5: left out: mysql9 could not be had\n" + strings.Repeat("     x/p TestS\n", 5),
	} {
		var out strings.Builder
		if _, err := run(strings.NewReader(in), &out, require, nil); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out.String(), want+"\n") {
			t.Errorf("the output lacks %q:\n%s", want, out.String())
		}
	}
}

func TestReasonIsTheLastMessage(t *testing.T) {
	for output, want := range map[string]string{
		"    a_test.go:7: starting\n    sub_test.go:12: too slow\n        for this machine\n": "too slow for this machine",
		"a_test.go:7: late\n": "late",
		"":                    "no reason given",
	} {
		if got := reason(output); got != want {
			t.Errorf("reason(%q) = %q, want %q", output, got, want)
		}
	}
}

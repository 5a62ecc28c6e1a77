package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestOnlyWhatAnEarlierRunHasCompletedIsLeftOut(t *testing.T) {
	s := scenario{name: "drain", variants: []variant{{name: "ours"}, {name: "floor"}}}
	o := &options{runs: 1, scale: 1, resume: true, json: filepath.Join(t.TempDir(), "bench.json")}
	ran := func(variants ...*outcome) *report {
		return &report{Runs: 1, Scale: 1, Scenarios: []scenarioReport{{Name: "drain", Variants: variants}}}
	}
	one := []sample{{Values: map[metric]float64{rate: 7}}}
	for name, c := range map[string]struct {
		report *report
		known  bool
	}{
		"all of it":            {ran(&outcome{Variant: "ours", Samples: one}, &outcome{Variant: "floor", Samples: one}), true},
		"a variant is not in":  {ran(&outcome{Variant: "ours", Samples: one}), false},
		"a variant has no run": {ran(&outcome{Variant: "ours", Samples: one}, &outcome{Variant: "floor"}), false},
		"a variant failed":     {ran(&outcome{Variant: "ours", Samples: one}, &outcome{Variant: "floor", Samples: one, Errors: []string{"no"}}), false},
	} {
		if err := c.report.save(o); err != nil {
			t.Fatal(err)
		}
		earlier, err := resumed(o)
		if err != nil {
			t.Fatal(err)
		}
		if got := earlier.of(s); (got != nil) != c.known {
			t.Errorf("%s: %v", name, got)
		} else if c.known && got.figure("ours", rate).Median != 7 {
			t.Errorf("%s: %v", name, got["ours"])
		}
	}
}

func TestARunOfAnotherSizeIsNotResumed(t *testing.T) {
	o := &options{runs: 5, scale: 1, resume: true, json: filepath.Join(t.TempDir(), "bench.json")}
	if _, err := resumed(o); err != nil {
		t.Errorf("nothing was run before: %v", err)
	}
	for _, text := range []string{`{"runs": 3, "scale": 1}`, `{"runs": 5, "scale": 0.1}`, `torn`} {
		if err := os.WriteFile(o.json, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := resumed(o); err == nil {
			t.Errorf("%s was accepted", text)
		}
	}
}

func TestWhatWasNotAskedForThisTimeStaysInTheReport(t *testing.T) {
	all := scenarios()
	earlier := &report{Runs: 1}
	for _, s := range all[:2] {
		sr := scenarioReport{Name: s.name}
		for _, v := range s.variants {
			sr.Variants = append(sr.Variants, &outcome{Variant: v.name, Samples: []sample{{Values: map[metric]float64{rate: 7}}}})
		}
		earlier.Scenarios = append(earlier.Scenarios, sr)
	}
	known := earlier.complete(all)
	rep := &report{}
	rep.fill(append(measurements{{all[2], results{}}}, known...))
	var names []string
	for _, s := range rep.Scenarios {
		names = append(names, s.Name)
	}
	if want := []string{all[0].name, all[1].name, all[2].name}; !slices.Equal(names, want) {
		t.Errorf("got %v, expected %v", names, want)
	}
}

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
)

// resumed is the report that an earlier run with -o wrote: with -resume its
// scenarios are not run again.
func resumed(o *options) (*report, error) {
	earlier := &report{}
	if !o.resume {
		return earlier, nil
	}
	text, err := os.ReadFile(o.json)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return earlier, nil
	case err != nil:
		return nil, err
	}
	if err := json.Unmarshal(text, earlier); err != nil {
		return nil, fmt.Errorf("-resume: %s is not what -o writes: %w", o.json, err)
	}
	if earlier.Runs != o.runs || earlier.Scale != o.scale {
		return nil, fmt.Errorf("-resume: %s has %d runs at scale %g: ask for the same, or for another file", o.json, earlier.Runs, earlier.Scale)
	}
	return earlier, nil
}

// complete lists the scenarios that have run in full.
func (r *report) complete(all []scenario) (ms measurements) {
	for _, s := range all {
		if got := r.of(s); got != nil {
			ms = append(ms, measured{s, got})
		}
	}
	return ms
}

// of returns what is known of a scenario, or nil if a variant is missing,
// failed, or has not run often enough.
func (r *report) of(s scenario) results {
	i := slices.IndexFunc(r.Scenarios, func(sr scenarioReport) bool { return sr.Name == s.name })
	if i < 0 {
		return nil
	}
	got := results{}
	for _, o := range r.Scenarios[i].Variants {
		got[o.Variant] = o
	}
	for _, v := range s.variants {
		if o := got[v.name]; o == nil || len(o.Errors) > 0 || len(o.Samples) < r.Runs {
			return nil
		}
	}
	return got
}

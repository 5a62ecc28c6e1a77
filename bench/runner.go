package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"
)

// selected are the scenarios and variants that -only leaves. An expression
// without a slash is about scenarios, with all their variants.
func selected(o *options) []scenario {
	byVariant := strings.Contains(o.only.String(), "/")
	var out []scenario
	for _, s := range scenarios() {
		s.variants = slices.DeleteFunc(s.variants, func(v variant) bool {
			name := s.name
			if byVariant {
				name += "/" + v.name
			}
			return !o.only.MatchString(name)
		})
		if len(s.variants) > 0 {
			out = append(out, s)
		}
	}
	return out
}

func list(w io.Writer, o *options) {
	for _, s := range selected(o) {
		fmt.Fprintf(w, "%s: %s\n", s.name, s.what)
		for _, v := range s.variants {
			fmt.Fprintf(w, "  %s/%s\n", s.name, v.name)
		}
	}
}

// runAll runs every scenario that was asked for, and reports it together with
// what an earlier run has left. One that fails does not keep the others from
// being measured.
func runAll(ctx context.Context, e *env, o *options, rep *report) error {
	earlier, err := resumed(o)
	if err != nil {
		return err
	}
	known := earlier.complete(scenarios())
	var errs []error
	for _, s := range selected(o) {
		if !known.has(s.name) {
			got, err := runScenario(ctx, e, s, o.runs)
			known, errs = append(known, measured{s, got}), append(errs, err)
		}
		rep.fill(known)
		errs = append(errs, rep.save(o))
		if ctx.Err() != nil {
			break
		}
	}
	return errors.Join(errs...)
}

// runScenario runs the variants in turn, so that whatever happens to the
// machine meanwhile happens to all of them.
func runScenario(ctx context.Context, e *env, s scenario, runs int) (results, error) {
	fmt.Fprintf(os.Stdout, "\n%s\n", s.what)
	got := results{}
	for _, v := range s.variants {
		got[v.name] = &outcome{Variant: v.name}
	}
	var errs []error
	for n := range runs {
		for _, v := range s.variants {
			o := got[v.name]
			if len(o.Errors) > 0 { // it would fail again, and take long
				continue
			}
			if ctx.Err() != nil {
				return got, errors.Join(errs...)
			}
			taken, err := runOnce(ctx, e, v)
			if err != nil {
				o.Errors = append(o.Errors, err.Error())
				errs = append(errs, fmt.Errorf("%s/%s: %w", s.name, v.name, err))
				fmt.Fprintf(os.Stdout, "  %d/%d  %-28s FAILED: %v\n", n+1, runs, v.name, err)
				continue
			}
			o.Samples = append(o.Samples, taken)
			fmt.Fprintf(os.Stdout, "  %d/%d  %-28s %s\n", n+1, runs, v.name, taken)
		}
	}
	return got, errors.Join(errs...)
}

func runOnce(ctx context.Context, e *env, v variant) (sample, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, e.limit, errors.New("the run took too long"))
	defer cancel()
	runtime.GC() // not the garbage of the run before
	start, before := time.Now(), readProcessorTime()
	s, err := v.run(ctx, e)
	readProcessorTime().since(before, &s)
	if took := time.Since(start); took > time.Minute && err == nil {
		s.Note = join(s.Note, "took "+took.Round(time.Second).String())
	}
	return s, err
}

func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "; " + b
}

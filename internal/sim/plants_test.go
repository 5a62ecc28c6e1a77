package sim

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// enough is how many schedules a planted defect may take to be found.
const enough = "10000"

// seeds are of schedules that find what few find. They are played first; after a
// change of the code they may find nothing, and others do.
var seeds = map[string]uint64{
	"defect 4b": 3873, "defect 10": 1516, "rest, what runs": 547, "outages": 407, "law 8, the hot queue": 314,
	"pause 1": 179, "rest, what waits": 147, "rule 6, taken by id": 142,
}

// seedIn finds the seed of a violation. A defect counts as found only if the same
// schedule keeps the laws without it.
var seedIn = regexp.MustCompile(`seed (\d+) gives it again`)

func TestThePlantedDefectsAreFound(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the simulation and plays schedules for each defect: run without -short")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	binary := plantedBinary(t, root)
	play := func(plant int, seed, schedules string) ([]byte, error) {
		args := []string{"-seed", seed, "-n", schedules}
		if plant > 0 { // without one, what the core finds counts too
			args = append(args, "-ledger")
		}
		sim := exec.CommandContext(t.Context(), binary, args...)
		sim.Env = append(os.Environ(), plantVariable+"="+strconv.Itoa(plant))
		return sim.Output()
	}
	if schedules < plain {
		t.Run("none", func(t *testing.T) {
			t.Parallel()
			if out, err := play(0, "0", strconv.Itoa(plain)); err != nil {
				t.Fatalf("found without a defect: %v\n%s", err, out)
			}
		})
	}
	for i, p := range Plants {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			var out []byte
			err := errors.New("no schedule was played")
			if seed, ok := seeds[p.Name]; ok {
				out, err = play(i+1, strconv.FormatUint(seed, 10), "1")
			}
			if !violated(err) {
				out, err = play(i+1, "0", enough)
			}
			if !violated(err) {
				t.Fatalf("%s: not found in %s schedules (%v)\n%s", p.Wrong, enough, err, out)
			}
			seed := seedIn.FindSubmatch(out)
			if seed == nil {
				t.Fatalf("no seed in %s", out)
			}
			if out, err := play(0, string(seed[1]), "1"); err != nil {
				t.Fatalf("the same seed is violated without the defect: %v\n%s", err, out)
			}
			t.Logf("%s: found by seed %s, %s", p.Wrong, seed[1], strings.TrimSpace(string(out)))
		})
	}
}

// violated reports whether the simulation has ended because a law was violated. A run
// that was killed has found nothing.
func violated(err error) bool {
	var exit *exec.ExitError
	return errors.As(err, &exit) && exit.ExitCode() == 1
}

func TestThePlantsFitTheCode(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range Plants {
		p.apply(t, root)
	}
	for name := range seeds {
		if !slices.ContainsFunc(Plants, func(p Plant) bool { return p.Name == name }) {
			t.Errorf("%s has a seed, and is no planted defect", name)
		}
	}
}

// apply is the text of each file that the plant changes.
func (p Plant) apply(t *testing.T, root string) (planted map[string]string) {
	t.Helper()
	planted = map[string]string{}
	for _, e := range p.Edits {
		path := filepath.Join(root, e.File)
		if planted[path] == "" {
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			planted[path] = string(src)
		}
		if n := strings.Count(planted[path], e.Old); n != 1 {
			t.Fatalf("%s: %s has the text %d times, expected once: change the plant as the code was changed\n%s", p.Name, e.File, n, e.Old)
		}
		planted[path] = strings.Replace(planted[path], e.Old, e.New, 1)
	}
	return planted
}

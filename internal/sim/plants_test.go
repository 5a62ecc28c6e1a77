package sim

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// enough is how many schedules a planted defect may take to be found.
const enough = "10000"

// Each defect is put into a copy of the file, which takes the place of the file
// in a build of its own.
func TestThePlantedDefectsAreFound(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the simulation for each defect: run without -short")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range Plants {
		t.Run(p.Name, func(t *testing.T) {
			dir := t.TempDir()
			planted := p.apply(t, root)
			replace := map[string]string{}
			for path, text := range planted {
				replace[path] = filepath.Join(dir, filepath.Base(path))
				write(t, replace[path], []byte(text))
			}
			overlay := filepath.Join(dir, "overlay.json")
			list, err := json.Marshal(map[string]map[string]string{"Replace": replace})
			if err != nil {
				t.Fatal(err)
			}
			write(t, overlay, list)
			bin := filepath.Join(dir, "sim")
			build := exec.Command("go", "build", "-ldflags=-s -w", "-overlay", overlay, "-o", bin, "./internal/tools/sim")
			build.Dir = root
			if out, err := build.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
			defer cancel()
			out, err := exec.CommandContext(ctx, bin, "-seed", "0", "-n", enough).Output()
			var exit *exec.ExitError
			if !errors.As(err, &exit) || exit.ExitCode() != 1 { // a run that was killed has found nothing
				t.Fatalf("%s: not found in %s schedules (%v)\n%s", p.Wrong, enough, err, out)
			}
			t.Logf("%s: found by %s", p.Wrong, strings.TrimSpace(string(out)))
		})
	}
}

func TestThePlantsFitTheCode(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range Plants {
		p.apply(t, root)
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

func write(t *testing.T, path string, text []byte) {
	t.Helper()
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

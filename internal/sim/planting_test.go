package sim

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// plantVariable has the place in [Plants] of the defect that a planted binary
// has, counted from 1.
const plantVariable = "OUTBOX_SIM_PLANT"

// plantedBinary builds the simulation once with every defect. Each function that a
// defect changes gets one more body, which runs if the variable names that defect.
// The files take the place of the module's in this build only.
func plantedBinary(t *testing.T, root string) string {
	t.Helper()
	files := map[string]*plantedFile{}
	for i, p := range Plants {
		for path, text := range p.apply(t, root) {
			if files[path] == nil {
				src, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				files[path] = newPlantedFile(t, string(src))
			}
			files[path].plant(t, p.Name, i+1, text)
		}
	}
	texts := map[string]string{}
	for path, f := range files {
		texts[path] = f.text()
		texts[filepath.Join(filepath.Dir(path), "planted.go")] = fmt.Sprintf(
			"package %s\n\nimport (\n\"os\"\n\"strconv\"\n)\n\nvar planted, _ = strconv.Atoi(os.Getenv(%q))\n", f.name, plantVariable)
	}
	return buildOver(t, root, texts)
}

// buildOver builds the simulation with these texts in place of files.
func buildOver(t *testing.T, root string, texts map[string]string) (binary string) {
	t.Helper()
	dir := t.TempDir()
	replace := map[string]string{}
	for path, text := range texts {
		replace[path] = filepath.Join(dir, fmt.Sprintf("%d.go", len(replace)))
		write(t, replace[path], []byte(text))
	}
	list, err := json.Marshal(map[string]map[string]string{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	overlay, binary := filepath.Join(dir, "overlay.json"), filepath.Join(dir, "sim")
	write(t, overlay, list)
	build := exec.Command("go", "build", "-ldflags=-s -w", "-overlay", overlay, "-o", binary, "./internal/tools/sim")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return binary
}

// plantedFile is a file whose functions have a body for each defect in them.
type plantedFile struct {
	src    string
	name   string // of the package
	bodies []body
	extra  map[string]string // by function: what goes before its own body
}

// body is what stands between the braces of a function.
type body struct {
	function   string // its receiver and name
	text       string
	begin, end int // offsets in the file
	results    bool
}

func newPlantedFile(t *testing.T, src string) *plantedFile {
	t.Helper()
	name, bodies := bodiesOf(t, src)
	return &plantedFile{src: src, name: name, bodies: bodies, extra: map[string]string{}}
}

func bodiesOf(t *testing.T, src string) (packageName string, all []body) {
	t.Helper()
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "", src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		b := body{begin: set.Position(f.Body.Lbrace).Offset + 1, end: set.Position(f.Body.Rbrace).Offset, results: f.Type.Results != nil}
		b.function, b.text = src[set.Position(f.Pos()).Offset:b.begin], src[b.begin:b.end]
		all = append(all, b)
	}
	return file.Name.Name, all
}

// plant adds the bodies that differ in the text of a defect. A defect may change
// nothing but bodies.
func (f *plantedFile) plant(t *testing.T, name string, number int, text string) {
	t.Helper()
	_, bodies := bodiesOf(t, text)
	if outside(text, bodies) != outside(f.src, f.bodies) {
		t.Fatalf("%s: it changes more than the bodies of functions", name)
	}
	for i, b := range bodies {
		if b.text == f.bodies[i].text {
			continue
		}
		end := "\n}\n"
		if !b.results {
			end = "\nreturn\n}\n"
		}
		f.extra[b.function] += fmt.Sprintf("\nif planted == %d {\n", number) + b.text + end
	}
}

// text is the file with all the bodies.
func (f *plantedFile) text() string {
	var out strings.Builder
	done := 0
	for _, b := range f.bodies {
		out.WriteString(f.src[done:b.begin] + f.extra[b.function])
		done = b.begin
	}
	out.WriteString(f.src[done:])
	return out.String()
}

// outside is what a file has beside the bodies of its functions.
func outside(src string, bodies []body) string {
	var out strings.Builder
	done := 0
	for _, b := range bodies {
		out.WriteString(src[done:b.begin])
		done = b.end
	}
	return out.String() + src[done:]
}

func write(t *testing.T, path string, text []byte) {
	t.Helper()
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

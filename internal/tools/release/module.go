package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
)

// root is the path of the main module, which is a prefix of all others.
const root = "github.com/sendoff-go/outbox"

// kept are modules that are never released.
var kept = []string{"admin/internal/clienttest", "e2e", "examples", "internal/drivers", "internal/tools"}

// member is a module of the repository.
type member struct {
	dir string // below the top; "." for the main module
	top string
	mod *modfile.File
}

// released are the modules that get a tag, the main one first.
func released(top string) ([]member, error) {
	text, err := os.ReadFile(filepath.Join(top, "go.work"))
	if err != nil {
		return nil, fmt.Errorf("run it in the top directory of the repository: %w", err)
	}
	work, err := modfile.ParseWork("go.work", text, nil)
	if err != nil {
		return nil, err
	}
	var out []member
	for _, use := range work.Use {
		dir := filepath.ToSlash(filepath.Clean(use.Path))
		if slices.Contains(kept, dir) {
			continue
		}
		m, err := read(top, dir)
		if err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	return out, nil
}

func read(top, dir string) (member, error) {
	name := filepath.Join(top, dir, "go.mod")
	text, err := os.ReadFile(name)
	if err != nil {
		return member{}, err
	}
	mod, err := modfile.Parse(name, text, nil)
	if err != nil {
		return member{}, err
	}
	if want := strings.TrimSuffix(root+"/"+dir, "/."); mod.Module.Mod.Path != want {
		return member{}, fmt.Errorf("%s: the module is %s, and its directory that of %s", name, mod.Module.Mod.Path, want)
	}
	if len(mod.Replace) > 0 {
		return member{}, fmt.Errorf("%s has replace lines, with which go install refuses it: put them into go.work", name)
	}
	return member{dir: dir, top: top, mod: mod}, nil
}

func (m member) path() string { return m.mod.Module.Mod.Path }

// tag returns the name of the module's tag.
func (m member) tag(version string) string { return strings.TrimPrefix(m.dir+"/"+version, "./") }

// required returns the module's go.mod, with this version of the others.
func (m member) required(version string, modules []member) ([]byte, error) {
	mod, err := modfile.Parse("go.mod", modfile.Format(m.mod.Syntax), nil)
	if err != nil {
		return nil, err
	}
	for _, r := range m.mod.Require {
		if r.Mod.Path != root && !strings.HasPrefix(r.Mod.Path, root+"/") {
			continue
		}
		if !slices.ContainsFunc(modules, func(o member) bool { return o.path() == r.Mod.Path }) {
			return nil, fmt.Errorf("%s requires %s, which is not released", m.path(), r.Mod.Path)
		}
		if err := mod.AddRequire(r.Mod.Path, version); err != nil {
			return nil, err
		}
	}
	return mod.Format()
}

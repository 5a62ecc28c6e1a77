package main

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

// publish writes the module's files into a proxy's directory.
func (m member) publish(proxy, version string, modules []member) error {
	escaped, err := module.EscapePath(m.path())
	if err != nil {
		return err
	}
	dir := filepath.Join(proxy, escaped, "@v")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	mod, err := m.required(version, modules)
	if err != nil {
		return err
	}
	info, err := json.Marshal(struct {
		Version string
		Time    time.Time
	}{version, time.Now().UTC()})
	if err != nil {
		return err
	}
	for name, text := range map[string][]byte{"list": []byte(version + "\n"), version + ".mod": mod, version + ".info": info} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			return err
		}
	}
	return m.zip(filepath.Join(dir, version+".zip"), version, mod)
}

// zip writes the module's archive, with that text as its go.mod.
func (m member) zip(name, version string, mod []byte) error {
	copied, err := os.MkdirTemp("", "outbox-release")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(copied) }()
	if err := m.copyTo(copied); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(copied, "go.mod"), mod, 0o644); err != nil {
		return err
	}
	// A module has the licence of the repository.
	license, err := os.ReadFile(filepath.Join(m.top, "LICENSE"))
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(copied, "LICENSE"), license, 0o644); err != nil {
		return err
	}
	out, err := os.Create(name)
	if err != nil {
		return err
	}
	err = zip.CreateFromDir(out, module.Version{Path: m.path(), Version: version}, copied)
	if closed := out.Close(); err == nil {
		err = closed
	}
	return err
}

// copyTo copies the module's own files, without those of modules below it.
func (m member) copyTo(target string) error {
	from := filepath.Join(m.top, m.dir)
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			if rel != "." && (d.Name() == ".git" || d.Name() == "bin" || exists(filepath.Join(path, "go.mod"))) {
				return filepath.SkipDir
			}
			return os.MkdirAll(filepath.Join(target, rel), 0o755)
		}
		if !d.Type().IsRegular() {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(target, rel), text, 0o644)
	})
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

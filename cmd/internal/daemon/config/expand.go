package config

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// expander replaces ${VAR}, ${VAR:default} and ${file:path} in values; $${ is a
// literal ${.
type expander struct {
	env    map[string]string
	folder string // of the file, to which paths are relative
	used   map[string]bool
}

func (e expander) expand(value string) (string, error) {
	if !strings.Contains(value, "${") {
		return value, nil
	}
	var out strings.Builder
	for {
		i := strings.Index(value, "${")
		if i < 0 {
			out.WriteString(value)
			return out.String(), nil
		}
		if i > 0 && value[i-1] == '$' {
			out.WriteString(value[:i-1] + "${")
			value = value[i+2:]
			continue
		}
		out.WriteString(value[:i])
		inner, rest, closed := strings.Cut(value[i+2:], "}")
		if !closed {
			return "", fmt.Errorf("${ without }: add the }, or write $${ for a literal ${")
		}
		got, err := e.lookup(inner)
		if err != nil {
			return "", err
		}
		out.WriteString(got)
		value = rest
	}
}

func (e expander) lookup(inner string) (string, error) {
	if path, ok := strings.CutPrefix(inner, "file:"); ok {
		return e.read(strings.TrimSpace(path))
	}
	name, def, hasDefault := strings.Cut(inner, ":")
	if name == "" {
		return "", fmt.Errorf("${%s} names no variable: write ${NAME} or ${NAME:default}", inner)
	}
	e.used[name] = true
	if v, ok := e.env[name]; ok {
		return v, nil
	}
	if hasDefault {
		return strings.TrimPrefix(def, "-"), nil // as a shell writes it
	}
	return "", fmt.Errorf("the environment variable %s is not set: set it, or write ${%s:default}", name, name)
}

// read takes a file without its last line's end, which editors and secret
// stores add.
func (e expander) read(path string) (string, error) {
	if path == "" {
		return "", fmt.Errorf("${file:} names no file: write ${file:/path}")
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(e.folder, path)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("%w: correct the path, or grant this user permission to read it", err)
	}
	return strings.TrimSuffix(strings.TrimSuffix(string(b), "\n"), "\r"), nil
}

package config

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

const repository = "../../../../"

func content(t *testing.T, file string) []byte {
	t.Helper()
	b, err := os.ReadFile(repository + file)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestTheConfigurationsInDeployAreRight(t *testing.T) {
	var configMap struct{ Data map[string]string }
	first, _, _ := strings.Cut(string(content(t, "deploy/kubernetes/outbox.yaml")), "\n---\n")
	if err := yaml.Unmarshal([]byte(first), &configMap); err != nil {
		t.Fatal(err)
	}
	inner := strings.ReplaceAll(configMap.Data["outbox.yaml"], "${file:/run/secrets/outbox/url}", "postgres://db/shop")
	c, notes, err := Read("outbox.yaml", []byte(inner), []string{"POD_NAME=outbox-1"})
	if err != nil || len(notes) > 0 || c.InstanceName != "outbox-1" || c.Publisher.Events["order-*"] == nil {
		t.Errorf("kubernetes: %v %v %+v", err, notes, c)
	}
	var compose struct {
		Services map[string]struct{ Environment map[string]string }
	}
	if err := yaml.Unmarshal(content(t, "deploy/compose.yaml"), &compose); err != nil {
		t.Fatal(err)
	}
	var env []string
	for name, value := range compose.Services["outbox"].Environment {
		env = append(env, name+"="+value)
	}
	c, notes, err = Read("", nil, env)
	if err != nil || len(notes) > 0 || c.Publisher.Sender.Brokers[0] != "kafka:9092" || c.Publisher.Events["order-*"].Topic != "orders" {
		t.Errorf("compose: %v %v %+v", err, notes, c)
	}
}

// pages is every page of the documentation, by its path.
func pages(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for _, pattern := range []string{"README*.md", "docs/*.md", "docs/zh-CN/*.md"} {
		files, err := filepath.Glob(repository + pattern)
		if err != nil || len(files) < 2 {
			t.Fatalf("%s: %v %v", pattern, files, err)
		}
		for _, file := range files {
			path := strings.TrimPrefix(filepath.ToSlash(file), repository)
			texts[path] = string(content(t, path))
		}
	}
	return texts
}

func TestThePagesNameKeysThatExist(t *testing.T) {
	var known []string
	root.visit([]string{"outbox"}, func(path []string, _ *key) { known = append(known, strings.Join(path, ".")) })
	name := regexp.MustCompile("`outbox\\.([a-z-]+)[a-z.-]*")
	found := map[string]int{}
	for page, text := range pages(t) {
		for _, m := range name.FindAllStringSubmatch(text, -1) {
			if root.find(m[1]) == nil { // a file, or a key of theirs
				continue
			}
			found[page]++
			if at := strings.Trim(m[0], "`."); !slices.Contains(known, at) {
				t.Errorf("%s names %s, which is no key", page, at)
			}
		}
	}
	for _, page := range []string{"docs/configuration.md", "docs/daemon.md", "docs/zh-CN/daemon.md", "docs/coming-from.md"} {
		if found[page] == 0 {
			t.Errorf("%s names no key", page)
		}
	}
}

func TestTheYAMLOfThePagesIsAValidConfiguration(t *testing.T) {
	found := 0
	for page, text := range pages(t) {
		for _, b := range regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllStringSubmatch(text, -1) {
			if strings.HasPrefix(b[1], "hazelcast:\n") { // the configuration of a member
				continue
			}
			found++
			inner := regexp.MustCompile(`\$\{file:[^}]*\}`).ReplaceAllString(b[1], "what-the-file-holds-long-enough-for-a-key")
			if _, _, err := Read(page, []byte(inner), nil); err != nil {
				t.Error(err)
			}
		}
	}
	if found < 3 {
		t.Errorf("only %d blocks of YAML were found", found)
	}
}

package config

import (
	"fmt"
	"net"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/goccy/go-yaml"
)

// manifest is as much of a Deployment as has to agree with the configuration.
type manifest struct {
	Kind string
	Data map[string]string
	Spec struct {
		Template struct {
			Metadata struct{ Annotations map[string]string }
			Spec     struct {
				Grace      int `yaml:"terminationGracePeriodSeconds"`
				Containers []struct {
					Args  []string
					Ports []struct {
						Port int `yaml:"containerPort"`
					}
					Liveness  probe `yaml:"livenessProbe"`
					Readiness probe `yaml:"readinessProbe"`
					Mounts    []struct {
						Name string
						Path string `yaml:"mountPath"`
					} `yaml:"volumeMounts"`
				}
			}
		}
	}
}

type probe struct {
	Get struct{ Path string } `yaml:"httpGet"`
}

func TestTheManifestAgreesWithItsConfiguration(t *testing.T) {
	byKind := map[string]manifest{}
	for _, text := range strings.Split(string(content(t, "deploy/kubernetes/outbox.yaml")), "\n---\n") {
		var m manifest
		if err := yaml.Unmarshal([]byte(text), &m); err != nil {
			t.Fatal(err)
		}
		byKind[m.Kind] = m
	}
	inner := byKind["ConfigMap"].Data["outbox.yaml"]
	c, _, err := Read("outbox.yaml", []byte(strings.ReplaceAll(inner, "${file:/run/secrets/outbox/url}", "postgres://db/shop")), []string{"POD_NAME=x"})
	if err != nil {
		t.Fatal(err)
	}
	pod := byKind["Deployment"].Spec.Template
	if len(pod.Spec.Containers) != 1 {
		t.Fatalf("%+v", pod)
	}
	box := pod.Spec.Containers[0]
	at := map[string]string{}
	for _, m := range box.Mounts {
		at[m.Name] = m.Path
	}
	if want := []string{"relay", "--config", at["config"] + "/outbox.yaml"}; !slices.Equal(box.Args, want) {
		t.Errorf("args are %q, want %q", box.Args, want)
	}
	if !strings.Contains(inner, "${file:"+at["database"]+"/url}") {
		t.Errorf("the URL is not read from %s", at["database"])
	}
	_, port, _ := net.SplitHostPort(c.Admin.Addr)
	if len(box.Ports) != 1 || fmt.Sprint(box.Ports[0].Port) != port || pod.Metadata.Annotations["prometheus.io/port"] != port {
		t.Errorf("ports %v, %v, and outbox.admin.addr is %s", box.Ports, pod.Metadata.Annotations, c.Admin.Addr)
	}
	if box.Liveness.Get.Path != "/livez" || box.Readiness.Get.Path != "/readyz" {
		t.Errorf("probes %v %v", box.Liveness, box.Readiness)
	}
	if grace := time.Duration(pod.Spec.Grace) * time.Second; grace <= c.DrainTimeout.Std() {
		t.Errorf("the pod is killed after %s, and drain-timeout is %s", grace, c.DrainTimeout.Std())
	}
}

func TestTheUnitLeavesTimeToDrainAndChecksTheFileThatItRuns(t *testing.T) {
	unit := string(content(t, "deploy/outbox.service"))
	find := func(pattern string) string {
		m := regexp.MustCompile(`(?m)^` + pattern + `$`).FindStringSubmatch(unit)
		if m == nil {
			t.Fatalf("the unit has no line %s", pattern)
		}
		return m[1]
	}
	checked := find(`ExecStartPre=/usr/local/bin/outbox config check (\S+)`)
	if run := find(`ExecStart=/usr/local/bin/outbox relay --config (\S+)`); run != checked {
		t.Errorf("%s is checked and %s is run", checked, run)
	}
	stop, err := time.ParseDuration(find(`TimeoutStopSec=(\d+)`) + "s")
	if err != nil {
		t.Fatal(err)
	}
	c, _, err := Read("", nil, []string{"OUTBOX_DATABASE_URL=sqlite://x.db"})
	if err != nil {
		t.Fatal(err)
	}
	if stop <= c.DrainTimeout.Std() {
		t.Errorf("the unit is killed after %s, and drain-timeout is %s", stop, c.DrainTimeout.Std())
	}
}

// What the Dockerfile builds, and the variable that it sets, have to exist.
func TestTheDockerfileBuildsWhatIsThere(t *testing.T) {
	file := string(content(t, "deploy/Dockerfile"))
	for _, want := range []string{"CGO_ENABLED=0 go build", "-X main.release=", "./cmd/outbox\n", `CMD ["relay"]`} {
		if !strings.Contains(file, want) {
			t.Errorf("the Dockerfile has no %s", want)
		}
	}
	if !regexp.MustCompile(`(?m)^var release\b|^\trelease\b`).Match(content(t, "cmd/outbox/version.go")) {
		t.Error("package main has no variable release")
	}
	version := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindSubmatch(content(t, "go.mod"))
	if version == nil || !strings.Contains(file, "FROM golang:"+string(version[1])+" ") {
		t.Errorf("the builder is not of the version in go.mod, %s", version)
	}
}

package admin

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// docs is what the page shows of an OpenAPI document.
type docs struct {
	Title, Version, Description string
	Operations                  []docsOperation
	Types                       []docsType
}

type docsOperation struct {
	Method, Path, ID, Summary, Description string
	Parameters                             []docsField
	Body                                   []docsContent
	Answers                                []docsAnswer
}

type docsAnswer struct {
	Status, Description string
	Headers             []docsField
	Content             []docsContent
}

// docsContent is a media type and what has it.
type docsContent struct {
	Media string
	Type  docsRef
}

// docsRef names a type. Link is the name of a docsType, or empty.
type docsRef struct{ Text, Link string }

type docsType struct {
	Name   string
	Fields []docsField
}

type docsField struct {
	Name, In, Description string
	Required              bool
	Type                  docsRef
	Bounds                []string
}

func docsOf(doc *huma.OpenAPI) docs {
	d := docs{Title: doc.Info.Title, Version: doc.Info.Version, Description: doc.Info.Description}
	for _, at := range slices.Sorted(maps.Keys(doc.Paths)) {
		item := doc.Paths[at]
		for _, op := range []*huma.Operation{item.Get, item.Put, item.Post, item.Patch, item.Delete} {
			if op != nil {
				d.Operations = append(d.Operations, operationDocs(at, op))
			}
		}
	}
	types := doc.Components.Schemas.Map()
	for _, name := range slices.Sorted(maps.Keys(types)) {
		d.Types = append(d.Types, docsType{Name: name, Fields: fieldDocs(types[name])})
	}
	return d
}

func operationDocs(at string, op *huma.Operation) docsOperation {
	d := docsOperation{Method: op.Method, Path: at, ID: op.OperationID, Summary: op.Summary, Description: op.Description}
	for _, p := range op.Parameters {
		d.Parameters = append(d.Parameters, docsField{p.Name, p.In, cmp.Or(p.Description, p.Schema.Description), p.Required, refTo(p.Schema), boundsOf(p.Schema)})
	}
	if op.RequestBody != nil {
		d.Body = contentDocs(op.RequestBody.Content)
	}
	for _, status := range slices.Sorted(maps.Keys(op.Responses)) {
		r := op.Responses[status]
		a := docsAnswer{Status: status, Description: r.Description, Content: contentDocs(r.Content)}
		for _, name := range slices.Sorted(maps.Keys(r.Headers)) {
			h := r.Headers[name]
			a.Headers = append(a.Headers, docsField{Name: name, Description: cmp.Or(h.Description, h.Schema.Description), Type: refTo(h.Schema)})
		}
		d.Answers = append(d.Answers, a)
	}
	return d
}

func contentDocs(content map[string]*huma.MediaType) (all []docsContent) {
	for _, media := range slices.Sorted(maps.Keys(content)) {
		all = append(all, docsContent{media, refTo(content[media].Schema)})
	}
	return all
}

func fieldDocs(s *huma.Schema) (all []docsField) {
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		p := s.Properties[name]
		all = append(all, docsField{Name: name, Description: p.Description, Required: slices.Contains(s.Required, name), Type: refTo(p), Bounds: boundsOf(p)})
	}
	return all
}

func refTo(s *huma.Schema) docsRef {
	switch {
	case s == nil:
		return docsRef{}
	case s.Ref != "":
		return docsRef{path.Base(s.Ref), path.Base(s.Ref)}
	case s.Items != nil:
		of := refTo(s.Items)
		return docsRef{"array of " + of.Text, of.Link}
	case s.Type == huma.TypeObject && len(s.Properties) == 0:
		if of, ok := s.AdditionalProperties.(*huma.Schema); ok {
			return docsRef{"object of " + refTo(of).Text, refTo(of).Link}
		}
	}
	return docsRef{Text: strings.TrimSpace(s.Type + " " + cmp.Or(s.Format, s.ContentEncoding))}
}

func boundsOf(s *huma.Schema) (all []string) {
	add := func(format string, v any) { all = append(all, fmt.Sprintf(format, v)) }
	if s.Minimum != nil {
		add("at least %v", *s.Minimum)
	}
	if s.Maximum != nil {
		add("at most %v", *s.Maximum)
	}
	if s.MinLength != nil {
		add("at least %d characters", *s.MinLength)
	}
	if s.MaxLength != nil {
		add("at most %d characters", *s.MaxLength)
	}
	if s.MinItems != nil {
		add("at least %d items", *s.MinItems)
	}
	if s.MaxItems != nil {
		add("at most %d items", *s.MaxItems)
	}
	if s.Default != nil {
		add("default %v", s.Default)
	}
	if len(s.Enum) > 0 {
		words := make([]string, len(s.Enum))
		for i, v := range s.Enum {
			words[i] = fmt.Sprint(v)
		}
		add("one of %s", strings.Join(words, ", "))
	}
	return all
}

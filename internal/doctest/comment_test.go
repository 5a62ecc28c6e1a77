package doctest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// own is a link to a name of the same package, or to a member of one.
var own = regexp.MustCompile(`\[\*?([A-Z]\w*)(?:\.([A-Z]\w*))?\]`)

// foreign is a link to a name of another package.
var foreign = regexp.MustCompile(`\[\*?[a-z]\w*\.[A-Z][\w.]*\]`)

func TestLinksAndCodeOfDocCommentsNameWhatExists(t *testing.T) {
	x := collect(t)
	checked := 0
	eachDocComment(t, func(path, pkg string, doc *ast.CommentGroup) {
		for line := range strings.Lines(doc.Text()) {
			line = strings.TrimRight(line, "\n")
			if strings.HasPrefix(line, "\t") { // code
				checked += x.check(t, path, 0, line)
				continue
			}
			for _, link := range foreign.FindAllString(line, -1) {
				checked += x.check(t, path, 0, strings.Trim(link, "[*]"))
			}
			for _, m := range own.FindAllStringSubmatch(line, -1) {
				checked++
				if !x.names[pkg][m[1]] {
					t.Errorf("%s: there is no %s in package %s", path, m[0], pkg)
				} else if m[2] != "" && !x.members[pkg][m[1]][m[2]] {
					t.Errorf("%s: there is no %s in package %s", path, m[0], pkg)
				}
			}
		}
	})
	if checked < 200 {
		t.Errorf("only %d names were found", checked)
	}
}

// leftOut closes the gaps of an example.
var leftOut = strings.NewReplacer("{ ... }", "{}", ", ...}", "}", ":= ...\n", ":= 0\n", "\n...\n", "\n")

func TestCodeOfPackageCommentsParses(t *testing.T) {
	found := 0
	eachDocComment(t, func(path, _ string, doc *ast.CommentGroup) {
		if filepath.Base(path) != "doc.go" {
			return
		}
		var block []string
		for _, line := range append(strings.Split(doc.Text(), "\n"), "") {
			if strings.HasPrefix(line, "\t") || (line == "" && len(block) > 0) {
				block = append(block, strings.TrimPrefix(line, "\t"))
				if line != "" {
					continue
				}
			}
			text := strings.TrimSpace(strings.Join(block, "\n"))
			if line == "" && strings.Contains(text, ":=") {
				found++
				if err := parses(leftOut.Replace(text + "\n")); err != nil {
					t.Errorf("%s: %v\n%s", path, err, text)
				}
			}
			block = nil
		}
	})
	if found < 5 {
		t.Errorf("only %d blocks were found", found)
	}
}

// eachDocComment calls f for the comments of packages and declarations, without
// those of tests.
func eachDocComment(t *testing.T, f func(path, pkg string, doc *ast.CommentGroup)) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); name == "testdata" || (len(name) > 2 && name[0] == '.') {
				return fs.SkipDir
			}
			return nil
		}
		if filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		tell := func(doc *ast.CommentGroup) {
			if doc != nil {
				f(path, file.Name.Name, doc)
			}
		}
		tell(file.Doc)
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				tell(d.Doc)
			case *ast.GenDecl:
				tell(d.Doc)
				for _, s := range d.Specs {
					if s, ok := s.(*ast.TypeSpec); ok {
						tell(s.Doc)
					}
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

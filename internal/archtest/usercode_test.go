package archtest

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"testing"
)

// The core runs under the lock of the relay, and hooks, policies, listeners and errors
// are the code of users. No function and nothing with methods gets in: then all that it
// calls is its own, or in the list of pure functions. An error or an any may be carried
// through, unread.
func TestTheRelaysCoreCallsNoCodeOfUsers(t *testing.T) {
	for _, wrong := range usersCode(check(t, "relay/core")) {
		t.Error(wrong)
	}
}

// usersCode lists the ways in which code of users could get into the core or be called
// there.
func usersCode(p *typed) (found []string) {
	note := func(pos token.Pos, format string, args ...any) {
		found = append(found, fmt.Sprintf("%s: the core ", p.set.Position(pos))+fmt.Sprintf(format, args...))
	}
	for id, o := range p.info.Defs {
		switch o := o.(type) {
		case *types.Var:
			if (o.IsField() || o.Parent() == p.pkg.Scope()) && runs(o.Type()) {
				note(id.Pos(), "keeps %s, which others may set to code of users", o.Name())
			}
		case *types.Func:
			if o.Exported() && takesCode(o.Signature()) && receiverOf(o)+o.Name() != "Core.Step" {
				note(id.Pos(), "takes or returns code in %s%s", receiverOf(o), o.Name())
			}
		}
	}
	formats := map[*ast.Ident]bool{}
	for _, file := range p.files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.TypeAssertExpr:
				note(n.Pos(), "looks into an interface")
			case *ast.CallExpr:
				if f, ok := callee(p.info, n.Fun).(*types.Func); ok && f.FullName() == "fmt.Sprintf" {
					if s, ok := n.Fun.(*ast.SelectorExpr); ok {
						formats[s.Sel] = true
					}
					for _, arg := range n.Args {
						if t := p.info.TypeOf(arg); !plain(p.pkg, t) {
							note(arg.Pos(), "formats a %s, which may have methods of users", t)
						}
					}
				}
			case *ast.Ident:
				o := p.info.Uses[n]
				switch f, _ := o.(*types.Func); {
				case isField(o) && o.Pkg() != p.pkg && runs(o.Type()):
					note(n.Pos(), "uses %s of another package, which may be code of users", o.Name())
				case f == nil:
				case f.Pkg() == p.pkg && f.Exported() && ofInterface(f):
					note(n.Pos(), "calls %s, which others can implement", f.Name())
				case f.FullName() == "fmt.Sprintf" && !formats[n]:
					note(n.Pos(), "formats what it does not say here")
				}
			}
			return true
		})
	}
	return found
}

// runs reports whether a value may have code of users: it is or has a function or
// something with methods that others can implement. An error or an any has, too, but
// only a call, a type assertion or a format finds it. The fields of structs are looked
// at where they are declared.
func runs(t types.Type) bool {
	if t == types.Universe.Lookup("error").Type() {
		return false
	}
	switch t := t.(type) {
	case *types.Alias:
		return runs(types.Unalias(t))
	case *types.Named:
		for arg := range t.TypeArgs().Types() {
			if runs(arg) {
				return true
			}
		}
		_, isStruct := t.Underlying().(*types.Struct)
		return !isStruct && runs(t.Underlying())
	case *types.Signature:
		return true
	case *types.Interface:
		return !t.Empty()
	case *types.TypeParam:
		return runs(t.Constraint())
	case *types.Map:
		return runs(t.Key()) || runs(t.Elem())
	case interface{ Elem() types.Type }: // a pointer, slice, array or channel
		return runs(t.Elem())
	}
	return false
}

// takesCode reports whether code of users can come in through a function.
func takesCode(s *types.Signature) bool {
	if r := s.Recv(); r != nil && runs(r.Type()) && !types.IsInterface(r.Type()) {
		return true
	}
	for _, vars := range []*types.Tuple{s.Params(), s.Results()} {
		for v := range vars.Variables() {
			if runs(v.Type()) {
				return true
			}
		}
	}
	return false
}

func receiverOf(f *types.Func) string {
	if r := f.Signature().Recv(); r != nil {
		t := r.Type()
		if p, ok := t.(*types.Pointer); ok {
			t = p.Elem()
		}
		return types.TypeString(t, func(*types.Package) string { return "" }) + "."
	}
	return ""
}

func isField(o types.Object) bool {
	v, ok := o.(*types.Var)
	return ok && v.IsField()
}

// ofInterface reports whether a method is one of an interface, and not of a type.
func ofInterface(f *types.Func) bool {
	r := f.Signature().Recv()
	return r != nil && types.IsInterface(r.Type())
}

// plain reports whether a value is a number, a string or a bool without methods, or with
// those of the package.
func plain(own *types.Package, t types.Type) bool {
	_, basic := t.Underlying().(*types.Basic)
	named, ok := types.Unalias(t).(*types.Named)
	return basic && (!ok || named.Obj().Pkg() == own)
}

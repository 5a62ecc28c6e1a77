package tidbstore

import (
	"cmp"
	"io/fs"
	"slices"
)

// layers are the files of a dialect that is like another one: what over does not
// have is that of under.
type layers struct{ over, under fs.FS }

// Open implements [fs.FS].
func (l layers) Open(name string) (fs.File, error) {
	if f, err := l.over.Open(name); err == nil {
		return f, nil
	}
	return l.under.Open(name)
}

// ReadDir implements [fs.ReadDirFS].
func (l layers) ReadDir(name string) ([]fs.DirEntry, error) {
	over, err := fs.ReadDir(l.over, name)
	if err != nil {
		return nil, err
	}
	under, err := fs.ReadDir(l.under, name)
	if err != nil {
		return nil, err
	}
	byName := func(a, b fs.DirEntry) int { return cmp.Compare(a.Name(), b.Name()) }
	all := append(over, under...)
	slices.SortStableFunc(all, byName)
	return slices.CompactFunc(all, func(a, b fs.DirEntry) bool { return byName(a, b) == 0 }), nil
}

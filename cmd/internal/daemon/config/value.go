package config

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/sendoff-go/outbox/driver"
)

var (
	errBoolean = errors.New("not a boolean: write true or false")
	errInteger = errors.New("not a whole number")
	errNumber  = errors.New("not a number")
)

func parseInteger(s string) (int, error) {
	n, err := strconv.ParseInt(strings.ReplaceAll(strings.TrimSpace(s), "_", ""), 10, strconv.IntSize)
	if err != nil {
		return 0, errInteger
	}
	return int(n), nil
}

func parseNumber(s string) (float64, error) {
	n, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil || math.IsNaN(n) || math.IsInf(n, 0) {
		return 0, errNumber
	}
	return n, nil
}

func parseBoolean(s string) (bool, error) {
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "true", "yes", "on":
		return true, nil
	case "false", "no", "off":
		return false, nil
	}
	return false, errBoolean
}

// parse turns a text into a value of the kind.
func parse(k kind, s string) (any, error) {
	switch k {
	case text, pairs:
		return s, nil
	case boolean:
		return parseBoolean(s)
	case integer:
		return parseInteger(s)
	case number:
		return parseNumber(s)
	case period:
		return ParseDuration(s)
	case size:
		return ParseSize(s)
	default:
		return nil, fmt.Errorf("config: no value of kind %d", k)
	}
}

// value parses and checks the texts of a key, which has one unless it is a
// list, and names the first text that is wrong, or -1 for all of them.
func (k *key) value(texts []string) (v any, wrong int, err error) {
	if k.kind != list {
		v, err := k.single(k.kind, texts[0])
		return v, 0, err
	}
	if k.length > 0 && len(texts) != k.length {
		return nil, -1, fmt.Errorf("has %d elements: it must have %d", len(texts), k.length)
	}
	items := reflect.MakeSlice(reflect.SliceOf(typeOf(k.of)), 0, len(texts))
	for i, s := range texts {
		v, err := k.single(k.of, s)
		if err != nil {
			return nil, i, err
		}
		items = reflect.Append(items, reflect.ValueOf(v))
	}
	return items.Interface(), 0, nil
}

func typeOf(k kind) reflect.Type {
	switch k {
	case period:
		return reflect.TypeFor[Duration]()
	default:
		return reflect.TypeFor[string]()
	}
}

func (k *key) single(of kind, s string) (any, error) {
	v, err := parse(of, s)
	if err != nil {
		return nil, err
	}
	if k.enum != nil && s != "" && !slices.Contains(k.enum, s) {
		err := "must be one of " + strings.Join(k.enum, ", ")
		if near := nearest(s, k.enum); near != "" {
			err = fmt.Sprintf("did you mean %s? It %s", near, err)
		}
		return nil, errors.New(err)
	}
	return v, k.bounded(of, v)
}

// bounded checks min and max.
func (k *key) bounded(of kind, v any) error {
	if k.min != "" && less(v, must(parse(of, k.min))) {
		return fmt.Errorf("too small: at least %s", k.min)
	}
	if k.max != "" && less(must(parse(of, k.max)), v) {
		return fmt.Errorf("too large: at most %s", k.max)
	}
	return nil
}

func less(a, b any) bool {
	x, y := reflect.ValueOf(a), reflect.ValueOf(b)
	if x.CanInt() {
		return x.Int() < y.Int()
	}
	return x.CanFloat() && x.Float() < y.Float()
}

// show is a value as it may be written in the file, without secrets unless it is
// to be whole.
func (k *key) show(v reflect.Value, whole bool) []string {
	if k.kind != list {
		return []string{k.mask(fmt.Sprint(v.Interface()), whole)}
	}
	var all []string
	for i := range v.Len() {
		all = append(all, k.mask(fmt.Sprint(v.Index(i).Interface()), whole))
	}
	return all
}

func (k *key) mask(s string, whole bool) string {
	switch {
	case s == "" || whole:
		return s
	case k.secret:
		return masked
	case k.url:
		return maskAddress(s)
	case k.destination:
		return driver.DestinationName(s)
	case strings.Contains(s, "://"): // where nobody expects one
		return maskAddress(s)
	}
	return s
}

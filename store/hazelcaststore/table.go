package hazelcaststore

import (
	"bytes"
	"context"
	"fmt"
	"reflect"
	"time"

	"github.com/hazelcast/hazelcast-go-client"
	"github.com/hazelcast/hazelcast-go-client/aggregate"
	"github.com/hazelcast/hazelcast-go-client/predicate"
	"github.com/hazelcast/hazelcast-go-client/serialization"
)

// table is a map of JSON texts. A change names the text that it replaces, and
// happens only if the map still has that very text.
type table struct{ m *hazelcast.Map }

func text(v any) ([]byte, error) {
	switch v := v.(type) {
	case nil:
		return nil, nil
	case serialization.JSON:
		return v, nil
	default:
		return nil, fmt.Errorf("a value of type %T: the maps of an outbox hold JSON values only", v)
	}
}

// get returns nil if there is none.
func (t *table) get(ctx context.Context, key string) ([]byte, error) {
	v, err := t.m.Get(ctx, key)
	if err != nil {
		return nil, err
	}
	return text(v)
}

func (t *table) getAll(ctx context.Context, keys []string) (map[string][]byte, error) {
	found := make(map[string][]byte, len(keys))
	names := make([]any, len(keys))
	for i, k := range keys {
		names[i] = k
	}
	entries, err := t.m.GetAll(ctx, names...)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		key, ok := e.Key.(string)
		if !ok {
			continue
		}
		if found[key], err = text(e.Value); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// putIfAbsent returns what was there before; nil if the new text is there now. A
// text that is the very same was put by this call: the client may have repeated
// it, or a member when another left.
func (t *table) putIfAbsent(ctx context.Context, key string, value []byte, ttl time.Duration) (before []byte, err error) {
	var v any
	if ttl > 0 {
		v, err = t.m.PutIfAbsentWithTTL(ctx, key, serialization.JSON(value), ttl)
	} else {
		v, err = t.m.PutIfAbsent(ctx, key, serialization.JSON(value))
	}
	if err != nil {
		return nil, err
	}
	if before, err = text(v); bytes.Equal(before, value) {
		return nil, err
	}
	return before, err
}

func (t *table) replace(ctx context.Context, key string, old, value []byte) (bool, error) {
	return t.m.ReplaceIfSame(ctx, key, serialization.JSON(old), serialization.JSON(value))
}

func (t *table) remove(ctx context.Context, key string, old []byte) (bool, error) {
	return t.m.RemoveIfSame(ctx, key, serialization.JSON(old))
}

// values is only for predicates that few entries match.
func (t *table) values(ctx context.Context, p predicate.Predicate) ([][]byte, error) {
	vs, err := t.m.GetValuesWithPredicate(ctx, p)
	if err != nil {
		return nil, err
	}
	texts := make([][]byte, len(vs))
	for i, v := range vs {
		if texts[i], err = text(v); err != nil {
			return nil, err
		}
	}
	return texts, nil
}

func (t *table) count(ctx context.Context, p predicate.Predicate) (int64, error) {
	v, err := t.m.AggregateWithPredicate(ctx, aggregate.CountAll(), p)
	if err != nil {
		return 0, err
	}
	n, _ := v.(int64)
	return n, nil
}

// least returns the smallest value of a numeric attribute. Members look at every
// entry that matches.
func (t *table) least(ctx context.Context, attribute string, p predicate.Predicate) (n int64, found bool, err error) {
	v, err := t.m.AggregateWithPredicate(ctx, aggregate.Min(attribute), p)
	if err != nil || v == nil {
		return 0, false, err
	}
	n, ok := v.(int64)
	if !ok {
		return 0, false, fmt.Errorf("attribute %s is a %T: other programs must write it as a whole number", attribute, v)
	}
	return n, true, nil
}

// distinct returns the different values of a text attribute. The client's type
// of the answer has no name outside of it.
func (t *table) distinct(ctx context.Context, attribute string, p predicate.Predicate) ([]string, error) {
	v, err := t.m.AggregateWithPredicate(ctx, aggregate.DistinctValues(attribute), p)
	if err != nil {
		return nil, err
	}
	var names []string
	for list, i := reflect.ValueOf(v), 0; list.Kind() == reflect.Slice && i < list.Len(); i++ {
		if name, ok := list.Index(i).Interface().(string); ok {
			names = append(names, name)
		}
	}
	return names, nil
}

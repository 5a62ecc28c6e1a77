package observe_test

import (
	"reflect"
	"testing"

	"github.com/sendoff-go/outbox/observe"
)

// TestATeeCallsBoth checks every field, so that a new one is not forgotten.
func TestATeeCallsBoth(t *testing.T) {
	calls := 0
	var a, b observe.Hooks
	for _, h := range []*observe.Hooks{&a, &b} {
		v := reflect.ValueOf(h).Elem()
		for i := range v.NumField() {
			v.Field(i).Set(reflect.MakeFunc(v.Field(i).Type(), func([]reflect.Value) []reflect.Value { calls++; return nil }))
		}
	}
	for name, tt := range map[string]struct {
		hooks observe.Hooks
		want  int
	}{"both": {observe.Tee(a, b), 2}, "left": {observe.Tee(a, observe.Hooks{}), 1}, "right": {observe.Tee(observe.Hooks{}, b), 1}} {
		v := reflect.ValueOf(tt.hooks)
		for i := range v.NumField() {
			calls = 0
			v.Field(i).Call([]reflect.Value{reflect.Zero(v.Field(i).Type().In(0))})
			if calls != tt.want {
				t.Errorf("%s: %s was called %d times, expected %d", name, v.Type().Field(i).Name, calls, tt.want)
			}
		}
	}
	if none := observe.Tee(observe.Hooks{}, observe.Hooks{}); none.Delivered != nil {
		t.Error("nothing and nothing became something")
	}
}

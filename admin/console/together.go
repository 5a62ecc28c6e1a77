package console

import "sync"

// together makes calls side by side. The error is that of the first in order. A
// panic goes on in the goroutine of the caller, whose server may recover it.
func together(calls ...func() error) error {
	errs, panics := make([]error, len(calls)), make([]any, len(calls))
	var all sync.WaitGroup
	for i, call := range calls {
		all.Go(func() {
			defer func() { panics[i] = recover() }()
			errs[i] = call()
		})
	}
	all.Wait()
	for _, v := range panics {
		if v != nil {
			panic(v)
		}
	}
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

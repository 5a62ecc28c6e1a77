package hazelcaststore

import "sync"

// parallel is how many calls a store makes at once for one of its own. The
// client waits for each answer, and a member takes many at a time.
const parallel = 32

// each runs f for every index, some at a time, and returns the first error.
func each(n int, f func(i int) error) error {
	if n == 1 {
		return f(0)
	}
	var wg sync.WaitGroup
	var once sync.Once
	var first error
	next := make(chan int)
	for range min(n, parallel) {
		wg.Go(func() {
			for i := range next {
				if err := f(i); err != nil {
					once.Do(func() { first = err })
				}
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	wg.Wait()
	return first
}

// chunks passes on as many ids at a time as one query may return.
func chunks(ids []string, f func(ids []string) error) error {
	for len(ids) > 0 {
		n := min(len(ids), maxWindow)
		if err := f(ids[:n]); err != nil {
			return err
		}
		ids = ids[n:]
	}
	return nil
}

// Package await waits in tests for something that must happen.
//
//	await.Until(t, "the breaker opens", func() bool { return opened.Load() })
//
// The limits are long, because only a failing test uses them up. It cannot test
// that something does not happen.
package await

// Package await waits in tests for what must come.
//
//	await.Until(t, "the breaker opens", func() bool { return opened.Load() })
//
// The limits are long, because they are spent only by a test that fails. What
// must not come cannot be tested with it.
package await

// Package complaints runs a test that is expected to fail and returns its
// failures. The conformance suites use it to test that their laws find defects.
//
//	found := complaints.Of(t, func(t testing.TB) { law.Check(t, defective) })
package complaints

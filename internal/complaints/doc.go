// Package complaints runs a test that is expected to fail and tells what it
// complains about. The conformance suites test with it that their laws find
// defects.
//
//	found := complaints.Of(t, func(t testing.TB) { law.Check(t, defective) })
package complaints

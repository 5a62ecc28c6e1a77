// Package sinkrig holds what the tests of the brokers' sinks share in addition
// to the laws of package sinktest: helpers for a sink, a relay that goes
// through an outage, and a count of what was acknowledged.
//
//	r := sinkrig.Run(t, reg)
//	r.Write("order", 100)
//	proxy.Hang()
//	r.AwaitBreaker()
//	proxy.Pass()
//	r.AwaitDelivered(100)
//	r.Stop()
package sinkrig

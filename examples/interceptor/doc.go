// Package interceptor sees every event on its way to any listener or sink:
// before, when it may change the context or refuse the event, and after, with
// the outcome. Use it for tracing, logging, tenants and the like.
package interceptor

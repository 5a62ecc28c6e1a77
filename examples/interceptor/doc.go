// Package interceptor sees every event on its way to any listener or sink: before,
// with the right to change the context or to refuse the event, and after, with the
// outcome. It is the place for tracing, logging, tenants and the like.
package interceptor

// Package events is what the shop and its billing share: the events, and
// nothing else.
package events

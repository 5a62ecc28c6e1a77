// Package events has the events, the only thing that the shop and its billing share.
package events

// Package consoletest tests the console in a browser: every page and every form,
// on a PostgreSQL database whose rows show what they did. It is a module of its own,
// so that only its tests need the driver of the browser.
package consoletest

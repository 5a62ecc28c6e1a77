// Package consoletest tests the console in a browser: every page and every form,
// on a PostgreSQL database whose rows tell what they did. It is a module of its
// own, so that nobody but its tests needs the driver of the browser.
package consoletest

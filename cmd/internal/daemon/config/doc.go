// Package config reads the configuration of the daemon: a YAML file whose keys
// are those of the spring-outbox manual and some more, and the environment.
//
//	c, err := config.Load("outbox.yaml", os.Environ())
//	var ps config.Problems
//	if errors.As(err, &ps) { ... } // everything that is wrong, each with line and column
//
// One tree of structs says all there is: the keys, their types and defaults,
// one line about each, which are secret. From it come the parser, the
// environment's twins, the JSON Schema, the printed configuration and the
// example file, so that none of them can say something else than another.
package config

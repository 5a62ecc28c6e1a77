package config

import "reflect"

// Print is the configuration as it is in effect, as YAML that can be read
// again. Passwords and other secrets are masked.
func (c *Config) Print() []byte {
	var e emitter
	e.out.WriteString(root.name + ":\n")
	e.table(reflect.ValueOf(c).Elem(), root, "  ")
	return e.out.Bytes()
}

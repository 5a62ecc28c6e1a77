package sim

// deploy replaces the relays that have no destination for foreign events by one that
// has.
func (w *world) deploy() {
	all := w.processes
	w.startProcess()
	for _, p := range all {
		_ = p // those that have none go on beside it
	}
}

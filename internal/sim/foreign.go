package sim

// deploy replaces the relays that have no destination for foreign events by one that
// has.
func (w *world) deploy() {
	all := w.processes
	w.startProcess()
	for _, p := range all {
		if p.takes() && !p.knows {
			p.wakeAndDo(p.shutDown)
		}
	}
}

package main

import (
	"os"
	"runtime"
	"runtime/pprof"
)

// startProfiles begins what the flags ask for and returns what ends it. The
// profiles are of this process: peers and floors run in it too, so choose with
// -only.
func startProfiles(o *options) (stop func() error, err error) {
	var cpu *os.File
	if o.cpuProfile != "" {
		if cpu, err = os.Create(o.cpuProfile); err != nil {
			return nil, err
		}
		if err := pprof.StartCPUProfile(cpu); err != nil {
			return nil, err
		}
	}
	return func() error {
		if cpu != nil {
			pprof.StopCPUProfile()
			if err := cpu.Close(); err != nil {
				return err
			}
		}
		if o.memProfile == "" {
			return nil
		}
		file, err := os.Create(o.memProfile)
		if err != nil {
			return err
		}
		runtime.GC() // a profile of allocations is as of the last collection
		if err := pprof.Lookup("allocs").WriteTo(file, 0); err != nil {
			return err
		}
		return file.Close()
	}, nil
}

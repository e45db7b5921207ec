package main

import (
	"bufio"
	"os"
	"runtime"
	"slices"
	"strings"
)

// cpuField returns the value of the first of the fields of that name in Linux's
// description of the processors.
func cpuField(name string) (string, bool) {
	if runtime.GOOS != "linux" {
		return "", false
	}
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return "", false
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	for s.Scan() {
		if k, v, ok := strings.Cut(s.Text(), ":"); ok && strings.TrimSpace(k) == name {
			return strings.TrimSpace(v), true
		}
	}
	return "", false
}

// cpuFlag reports whether Linux lists a feature, and nil if it can't be asked.
func cpuFlag(flag string) *bool {
	flags, ok := cpuField("flags")
	if !ok {
		return nil
	}
	has := slices.Contains(strings.Fields(flags), flag)
	return &has
}

// cpuName returns the name of the processor, as the Go benchmark format wants it,
// or "".
func cpuName() string {
	if name, ok := cpuField("model name"); ok {
		return name
	}
	return cpuNameSysctl()
}

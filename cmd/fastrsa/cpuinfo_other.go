//go:build !darwin

package main

func cpuNameSysctl() string { return "" }

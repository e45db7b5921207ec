package bigmod

// KernelName returns the name of the code that runs the inner loops: "generic",
// or one that says which instructions it uses. For reports to people.
func KernelName() string { return kernelName }

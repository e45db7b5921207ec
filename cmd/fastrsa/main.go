package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
)

// Exit statuses. The package comment is their contract.
const (
	exitOK          = 0
	exitDisagree    = 1
	exitFailure     = 1
	exitInput       = 2
	exitUsage       = 2
	exitBad         = 3
	exitInterrupted = 130
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	// A second interrupt ends the process at once.
	context.AfterFunc(ctx, stop)
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// A command is one of the words that may follow "fastrsa".
type command struct {
	name    string
	args    string // for the usage line
	summary string
	help    string // for fastrsa NAME -h, after the flags
	run     func(*invocation) int
}

// commands returns all commands, in the order of the help text.
func commands() []*command {
	return []*command{verifyCommand, benchCommand, infoCommand}
}

// An invocation is one run of one command.
type invocation struct {
	cmd            *command
	ctx            context.Context
	args           []string
	stdin          io.Reader
	stdout, stderr io.Writer
}

// run executes the command line args, without the program's name, and returns
// the exit status.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if len(args) == 0 {
		usage(stderr)
		return exitUsage
	}
	switch name := args[0]; name {
	case "help", "-h", "-help", "--help":
		if len(args) == 1 {
			usage(stdout)
			return exitOK
		}
		args = []string{args[1], "-h"}
	}
	for _, cmd := range commands() {
		if cmd.name == args[0] {
			return cmd.run(&invocation{cmd, ctx, args[1:], stdin, stdout, stderr})
		}
	}
	fmt.Fprintf(stderr, "fastrsa: unknown command %q\n\n", args[0])
	usage(stderr)
	return exitUsage
}

func usage(w io.Writer) {
	fmt.Fprint(w, "Fastrsa compares github.com/fastrsa/fastrsa with crypto/rsa.\n\nUsage:\n\n")
	for _, cmd := range commands() {
		fmt.Fprintf(w, "  fastrsa %-22s %s\n", cmd.name+" "+cmd.args, cmd.summary)
	}
	fmt.Fprintf(w, "  fastrsa %-22s %s\n", "help [command]", "describe a command")
	fmt.Fprint(w, "\nThe whole manual: go doc github.com/fastrsa/fastrsa/cmd/fastrsa\n")
}

// parse parses the command's arguments into fs. If ok is false the command is
// over, with the given status.
func (inv *invocation) parse(fs *flag.FlagSet) (status int, ok bool) {
	fs.Init("fastrsa "+inv.cmd.name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	err := fs.Parse(inv.args)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprintf(inv.stdout, "Usage: fastrsa %s %s\n\nFlags:\n", inv.cmd.name, inv.cmd.args)
		fs.SetOutput(inv.stdout)
		fs.PrintDefaults()
		fmt.Fprintf(inv.stdout, "\n%s", inv.cmd.help)
		return exitOK, false
	}
	if err != nil {
		return inv.usageError("%v", err), false
	}
	return 0, true
}

// usageError reports a fault of the command line.
func (inv *invocation) usageError(format string, args ...any) int {
	fmt.Fprintf(inv.stderr, "fastrsa %s: %s\nRun 'fastrsa %[1]s -h' for usage.\n",
		inv.cmd.name, fmt.Sprintf(format, args...))
	return exitUsage
}

// errorf reports an error that is not a fault of the command line.
func (inv *invocation) errorf(format string, args ...any) {
	fmt.Fprintf(inv.stderr, "fastrsa %s: %s\n", inv.cmd.name, printable(fmt.Sprintf(format, args...)))
}

// printable returns s with everything that a terminal might obey, or that would
// break a table, replaced. Subjects, key identifiers and error texts come from
// files that are not trusted.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if !isPrintable(r) {
			return '?'
		}
		return r
	}, s)
}

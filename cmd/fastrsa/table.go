package main

import (
	"bufio"
	"fmt"
	"io"
	"iter"
	"os"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/term"
)

// A column of a table. A column with a positive min may be shortened to that many
// characters when the table is too wide; keepEnd says which end of the text
// matters.
type column struct {
	title   string
	right   bool
	min     int
	keepEnd bool
}

// writeTable writes rows under the column titles, one space between columns,
// not wider than width where shortening can achieve that. It goes through rows
// twice, and holds one at a time.
func writeTable(w io.Writer, width int, columns []column, rows iter.Seq[[]string]) error {
	widths := make([]int, len(columns))
	total := len(columns) - 1
	for i, c := range columns {
		widths[i] = utf8.RuneCountInString(c.title)
	}
	for row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for _, n := range widths {
		total += n
	}
	// Take from the widest column that may give, one character at a time.
	for ; total > width; total-- {
		widest := -1
		for i, c := range columns {
			if c.min > 0 && widths[i] > c.min && (widest < 0 || widths[i] > widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			break
		}
		widths[widest]--
	}
	b := bufio.NewWriter(w)
	line := func(cell func(i int) string) {
		var l strings.Builder
		for i, c := range columns {
			s := shorten(cell(i), widths[i], c.keepEnd)
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(s))
			if i > 0 {
				l.WriteByte(' ')
			}
			if c.right {
				s, pad = pad, s
			}
			l.WriteString(s + pad)
		}
		b.WriteString(strings.TrimRight(l.String(), " ") + "\n")
	}
	line(func(i int) string { return columns[i].title })
	for row := range rows {
		line(func(i int) string { return row[i] })
	}
	return b.Flush()
}

// shorten returns s cut to n characters, with an ellipsis in place of what is
// missing.
func shorten(s string, n int, keepEnd bool) string {
	r := []rune(s)
	switch {
	case len(r) <= n:
		return s
	case keepEnd:
		return "…" + string(r[len(r)-n+1:])
	default:
		return string(r[:n-1]) + "…"
	}
}

// isPrintable reports whether r is shown as it is, and not obeyed, by a terminal.
func isPrintable(r rune) bool {
	return r != utf8.RuneError && unicode.IsPrint(r)
}

// outputWidth returns the width of the terminal that w is, and 80 if it is none.
func outputWidth(w io.Writer) int {
	if f, ok := w.(*os.File); ok {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil && width >= 40 {
			return width
		}
	}
	return 80
}

// isTerminal reports whether w is a terminal.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// formatTime returns ns nanoseconds with three significant digits and a unit,
// at most 6 characters up to 1000 s.
func formatTime(ns float64) string {
	unit, name := 1.0, "ns"
	switch {
	case ns >= 999.5e6:
		unit, name = 1e9, "s"
	case ns >= 999.5e3:
		unit, name = 1e6, "ms"
	case ns >= 999.5:
		unit, name = 1e3, "µs"
	}
	return threeDigits(ns/unit) + name
}

// formatDuration is formatTime for a Duration.
func formatDuration(d time.Duration) string { return formatTime(float64(d)) }

// formatRatio returns r with three significant digits, as in "2.41x", in at most 5
// characters.
func formatRatio(r float64) string {
	if r >= 999.5 {
		return ">999x"
	}
	return threeDigits(r) + "x"
}

func threeDigits(x float64) string {
	switch {
	case x < 9.995:
		return fmt.Sprintf("%.2f", x)
	case x < 99.95:
		return fmt.Sprintf("%.1f", x)
	default:
		return fmt.Sprintf("%.0f", x)
	}
}

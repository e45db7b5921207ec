module github.com/fastrsa/fastrsa

go 1.26.4

require (
	github.com/c2sp/wycheproof v0.0.0-20260902155932-3fa63dd0344a
	golang.org/x/sys v0.50.0
	golang.org/x/term v0.48.0
)

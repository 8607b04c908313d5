// Package report holds the one schema in which measurements leave the program,
// crosspoint/1, and every form in which they are printed: Markdown, CSV, JSON,
// LaTeX, the Go benchmark format, JUnit XML and a plot.
//
// Goals, in order: say nothing that was not measured, read well, stay stable.
// Every writer is a pure function of its input. It reads no clock and no
// environment, formats numbers in one way whatever the locale, and walks maps in
// sorted order, so that the same report always gives the same bytes.
//
// A software device (a GPU interface implemented on the CPU) is labelled
// "(software)" wherever it is named and never called the best of anything. A row
// that failed, or whose bytes were not checked, keeps its place in the tables and
// shows no time.
package report

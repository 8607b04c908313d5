package report

import (
	"encoding/xml"
	"io"
	"time"
)

// Suite is the outcome of checking one backend against the known answers.
type Suite struct {
	Backend  string
	Device   string
	Software bool
	Cases    []Case
	// Skipped says why nothing ran, such as an absent device; empty otherwise.
	Skipped string
}

// Case is the outcome of one vector: passed if neither Failure nor Skipped says
// otherwise.
type Case struct {
	Name    string
	Time    time.Duration // 0 where it is not known
	Failure string        // what differed: operation, row, index; never a coefficient
	Skipped string        // why it did not run
}

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Skipped  int          `xml:"skipped,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name       string           `xml:"name,attr"`
	Tests      int              `xml:"tests,attr"`
	Failures   int              `xml:"failures,attr"`
	Errors     int              `xml:"errors,attr"`
	Skipped    int              `xml:"skipped,attr"`
	Time       string           `xml:"time,attr,omitempty"`
	Properties *junitProperties `xml:"properties,omitempty"`
	Cases      []junitCase      `xml:"testcase"`
}

type junitProperties struct {
	Property []junitProperty `xml:"property"`
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Time    string        `xml:"time,attr,omitempty"`
	Failure *junitMessage `xml:"failure,omitempty"`
	Skipped *junitMessage `xml:"skipped,omitempty"`
}

type junitMessage struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// WriteJUnit writes the outcome of known-answer checks as JUnit XML: a test suite
// for each backend, a case for each vector. A backend that did not run at all
// has one skipped case, "open", so that its absence shows in every reader.
func WriteJUnit(w io.Writer, suites []Suite) error {
	root := junitSuites{Name: "crosspoint known answers"}
	for i := range suites {
		s := suites[i].junit()
		root.Tests += s.Tests
		root.Failures += s.Failures
		root.Skipped += s.Skipped
		root.Suites = append(root.Suites, s)
	}
	data, err := xml.MarshalIndent(root, "", "  ")
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, xml.Header+string(data)+"\n")
	return err
}

func (s *Suite) junit() junitSuite {
	name := label(s.Backend, s.Software)
	out := junitSuite{Name: name}
	if s.Device != "" {
		out.Properties = &junitProperties{[]junitProperty{{"device", label(s.Device, s.Software)}}}
	}
	cases := s.Cases
	if s.Skipped != "" && len(cases) == 0 {
		cases = []Case{{Name: "open", Skipped: s.Skipped}}
	}
	var total time.Duration
	for _, c := range cases {
		jc := junitCase{Class: "kat." + s.Backend, Name: c.Name, Time: seconds(c.Time)}
		switch {
		case c.Failure != "":
			jc.Failure = &junitMessage{Message: oneLine(c.Failure), Text: c.Failure}
			out.Failures++
		case c.Skipped != "":
			jc.Skipped = &junitMessage{Message: oneLine(c.Skipped)}
			out.Skipped++
		}
		total += c.Time
		out.Cases = append(out.Cases, jc)
	}
	out.Tests, out.Time = len(cases), seconds(total)
	return out
}

// seconds is empty for no time at all, so that none is claimed.
func seconds(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return fixed(d.Seconds(), 6)
}

package report

import (
	"maps"
	"slices"
	"strings"
)

const (
	paramRing   = "ring"
	paramDegree = "n"
	paramQ      = "q"
)

// splitOp parts "ntt/forward" into family and operation; an operation without a
// family belongs to the NTT.
func splitOp(op string) (family, name string) {
	family, name, found := strings.Cut(op, "/")
	if !found {
		return "ntt", op
	}
	return family, name
}

// shortTitle names an operation as sentences do: "ntt forward, pulsar",
// "keccak-256, 136 bytes", "mpt root, account".
func shortTitle(op string, params map[string]string, resident bool) string {
	if reading, ok := strings.CutPrefix(op, hotPathPrefix); ok {
		return "hot path, " + readingName(reading)
	}
	title := opTitle(op)
	if ring := params[paramRing]; ring != "" {
		title += ", " + ring
	} else if sizes := sizeList(params); sizes != "" {
		title += ", " + sizes
	}
	if resident {
		title += ", resident"
	}
	return oneLine(title)
}

// longTitle names an operation as headings do, sizes included:
// "NTT forward, pulsar (N = 256, q = 0x1000000004A01)",
// "Keccak-256, 136 bytes", "Merkle-Patricia root, account".
func longTitle(op string, params map[string]string, resident bool) string {
	if reading, ok := strings.CutPrefix(op, hotPathPrefix); ok {
		return "Pulsar hot path, " + readingName(reading)
	}
	title := opTitle(op)
	if after, ok := strings.CutPrefix(title, "ntt "); ok {
		title = "NTT " + after
	}
	if after, ok := strings.CutPrefix(title, "mpt "); ok {
		title = "Merkle-Patricia " + after
	}
	title = capital(title)
	sizes := sizeList(params)
	if ring := params[paramRing]; ring != "" {
		title += ", " + ring
		if sizes != "" {
			title += " (" + sizes + ")"
		}
	} else if sizes != "" {
		title += ", " + sizes
	}
	if resident {
		title += ", rows resident on the device"
	}
	return oneLine(title)
}

func opTitle(op string) string {
	family, name := splitOp(op)
	switch {
	case op == KeccakOp:
		return "keccak-256"
	case family == familyRoot:
		return strings.TrimSpace(strings.ReplaceAll(name, "/", " ") + " root")
	}
	return strings.TrimSpace(family + " " + strings.ReplaceAll(name, "/", " "))
}

// sizeList lists every parameter but the ring's name. The degree is written N,
// since n counts polynomials; what a message or a state is needs no name.
func sizeList(params map[string]string) string {
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(params)) {
		switch k {
		case paramRing:
		case paramDegree:
			parts = append(parts, "N = "+params[k])
		case ParamLen:
			parts = append(parts, params[k]+" bytes")
		case ParamSet:
			parts = append(parts, params[k])
		default:
			parts = append(parts, k+" = "+params[k])
		}
	}
	return strings.Join(parts, ", ")
}

// readingTitle says what a reading of the hot path counts.
func readingTitle(reading string) string {
	switch reading {
	case ReadingPaper:
		return "the paper's reading: 2,688 forward transforms per signature"
	case ReadingRound1:
		return "Ringtail's Round 1, per party: 735 forward transforms, 735 conversions to Montgomery form, " +
			"2,744 multiply-accumulates, one resident chain"
	}
	return oneLine(reading)
}

// readingName names a reading in a sentence.
func readingName(reading string) string {
	switch reading {
	case ReadingPaper:
		return "the paper's 2,688 transforms"
	case ReadingRound1:
		return "Round 1"
	}
	return oneLine(reading)
}

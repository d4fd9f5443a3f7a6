package hf

import (
	"unicode"

	"github.com/dlclark/regexp2/v2"
)

// gpt2 is the pattern that a ByteLevel pre-tokenizer applies when use_regex is on.
const gpt2 = `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`

// A splitter cuts one piece into smaller ones and hands them on in order; what it does not hand on is gone.
type splitter func(piece []rune, emit func([]rune))

// splitters turns a pre_tokenizer into the list of its stages, each applied to the pieces of the one before.
func splitters(s *step) (list []splitter, prefixSpace, byteLevel bool, err error) {
	if s == nil {
		return nil, false, false, refuse("no pre_tokenizer (byte-level BPE has one)")
	}
	switch s.Type {
	case "Sequence":
		for i := range s.PreTokenizers {
			sub, space, bl, err := splitters(&s.PreTokenizers[i])
			if err != nil {
				return nil, false, false, err
			}
			if space && i > 0 {
				return nil, false, false, refuse("add_prefix_space behind another pre-tokenizer")
			}
			list, prefixSpace, byteLevel = append(list, sub...), prefixSpace || space, byteLevel || bl
		}
		return list, prefixSpace, byteLevel, nil
	case "ByteLevel":
		if s.UseRegex == nil || *s.UseRegex {
			sp, err := byPattern(gpt2, true, false)
			if err != nil {
				return nil, false, false, err
			}
			list = append(list, sp)
		}
		return list, s.AddPrefixSpace, true, nil
	case "Digits":
		return []splitter{digits(s.Individual)}, false, false, nil
	case "Split":
		if s.Pattern == nil {
			return nil, false, false, refuse("a Split without a pattern")
		}
		keep := s.Behavior == "Isolated"
		if !keep && s.Behavior != "Removed" {
			return nil, false, false, refuse("Split behavior %q", s.Behavior)
		}
		var expr string
		switch {
		case s.Pattern.Regex != nil:
			expr = *s.Pattern.Regex
		case s.Pattern.String != nil:
			expr = regexp2.Escape(*s.Pattern.String)
		default:
			return nil, false, false, refuse("a Split pattern that is neither Regex nor String")
		}
		sp, err := byPattern(expr, keep, s.Invert)
		return []splitter{sp}, false, false, err
	}
	return nil, false, false, refuse("pre_tokenizer %q", s.Type)
}

// byPattern cuts at every match. keepMatches: the matches are pieces of their own (Isolated), else
// dropped (Removed); invert swaps the roles of the matches and of what lies between them.
func byPattern(expr string, keepMatches, invert bool) (splitter, error) {
	re, err := regexp2.Compile(expr)
	if err != nil {
		return nil, refuse("the pattern %q (%v)", expr, err)
	}
	keepGaps := true
	if invert {
		keepMatches, keepGaps = keepGaps, keepMatches
	}
	return func(p []rune, emit func([]rune)) {
		at := 0
		_ = re.FindRunesMatches(p, 0, func(m regexp2.MatchView) bool { // no time-out is set: no error
			i, n, ok := m.GroupRange(0)
			if !ok || n == 0 {
				return true
			}
			if i > at && keepGaps {
				emit(p[at:i])
			}
			if keepMatches {
				emit(p[i : i+n])
			}
			at = i + n
			return true
		})
		if at < len(p) && keepGaps {
			emit(p[at:])
		}
	}, nil
}

// digits parts numbers from the rest, digit by digit when individual.
func digits(individual bool) splitter {
	return func(p []rune, emit func([]rune)) {
		at := 0
		for i, r := range p {
			is := unicode.IsNumber(r)
			if i > at && (is != unicode.IsNumber(p[i-1]) || is && individual) {
				emit(p[at:i])
				at = i
			}
		}
		if at < len(p) {
			emit(p[at:])
		}
	}
}

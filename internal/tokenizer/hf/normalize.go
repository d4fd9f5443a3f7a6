package hf

import (
	"strings"

	"golang.org/x/text/unicode/norm"
)

// normalizers turns a normalizer into the list of its stages.
func normalizers(s *step) ([]func(string) string, error) {
	if s == nil {
		return nil, nil
	}
	switch s.Type {
	case "Sequence":
		var list []func(string) string
		for i := range s.Normalizers {
			sub, err := normalizers(&s.Normalizers[i])
			if err != nil {
				return nil, err
			}
			list = append(list, sub...)
		}
		return list, nil
	case "NFC":
		return []func(string) string{norm.NFC.String}, nil
	case "NFD":
		return []func(string) string{norm.NFD.String}, nil
	case "NFKC":
		return []func(string) string{norm.NFKC.String}, nil
	case "NFKD":
		return []func(string) string{norm.NFKD.String}, nil
	case "Replace":
		if s.Pattern != nil && s.Pattern.String != nil && s.Content != nil {
			from, to := *s.Pattern.String, *s.Content
			return []func(string) string{func(t string) string { return strings.ReplaceAll(t, from, to) }}, nil
		}
		return nil, refuse("a Replace normalizer with a regular expression")
	}
	return nil, refuse("normalizer %q", s.Type)
}

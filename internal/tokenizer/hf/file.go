package hf

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// file is tokenizer.json as far as byte-level BPE needs it. What is not listed here is either
// harmless to ids (truncation, padding, post-processing offsets) or refused by name.
type file struct {
	Truncation    json.RawMessage `json:"truncation"`
	AddedTokens   []added         `json:"added_tokens"`
	Normalizer    *step           `json:"normalizer"`
	PreTokenizer  *step           `json:"pre_tokenizer"`
	PostProcessor *step           `json:"post_processor"`
	Decoder       *step           `json:"decoder"`
	Model         model           `json:"model"`
}

type added struct {
	ID         int    `json:"id"`
	Content    string `json:"content"`
	SingleWord bool   `json:"single_word"`
	LStrip     bool   `json:"lstrip"`
	RStrip     bool   `json:"rstrip"`
	Normalized bool   `json:"normalized"`
	Special    bool   `json:"special"`
}

// step is any normalizer, pre-tokenizer, post-processor or decoder.
type step struct {
	Type           string          `json:"type"`
	Normalizers    []step          `json:"normalizers"`
	PreTokenizers  []step          `json:"pretokenizers"`
	Processors     []step          `json:"processors"`
	Decoders       []step          `json:"decoders"`
	Pattern        *pattern        `json:"pattern"`
	Behavior       string          `json:"behavior"`
	Invert         bool            `json:"invert"`
	AddPrefixSpace bool            `json:"add_prefix_space"`
	UseRegex       *bool           `json:"use_regex"` // absent means true
	Individual     bool            `json:"individual_digits"`
	Content        *string         `json:"content"`
	Single         json.RawMessage `json:"single"`
}

type pattern struct {
	Regex  *string `json:"Regex"`
	String *string `json:"String"`
}

type model struct {
	Type                    string          `json:"type"`
	Dropout                 *float64        `json:"dropout"`
	UnkToken                *string         `json:"unk_token"`
	ContinuingSubwordPrefix *string         `json:"continuing_subword_prefix"`
	EndOfWordSuffix         *string         `json:"end_of_word_suffix"`
	ByteFallback            bool            `json:"byte_fallback"`
	IgnoreMerges            bool            `json:"ignore_merges"`
	Vocab                   map[string]int  `json:"vocab"`
	Merges                  json.RawMessage `json:"merges"`
}

// A RefusedError is something a tokenizer.json asks for that this package does not know: it is named,
// never guessed.
type RefusedError struct{ What string }

func (e *RefusedError) Error() string {
	return "tokenizer.json asks for " + e.What + ", which is not supported"
}

func refuse(format string, args ...any) error { return &RefusedError{fmt.Sprintf(format, args...)} }

// check refuses what the model part asks for beyond plain byte-level BPE.
func (m *model) check() error {
	switch {
	case m.Type != "BPE" && m.Type != "":
		return refuse("model type %q (only byte-level BPE is read)", m.Type)
	case m.Dropout != nil && *m.Dropout != 0:
		return refuse("BPE dropout")
	case m.ContinuingSubwordPrefix != nil && *m.ContinuingSubwordPrefix != "":
		return refuse("continuing_subword_prefix %q", *m.ContinuingSubwordPrefix)
	case m.EndOfWordSuffix != nil && *m.EndOfWordSuffix != "":
		return refuse("end_of_word_suffix %q", *m.EndOfWordSuffix)
	case m.ByteFallback:
		return refuse("byte_fallback (SentencePiece style BPE)")
	case len(m.Vocab) == 0:
		return refuse("an empty vocabulary")
	}
	return nil
}

// merges reads both spellings: "a b" and ["a", "b"].
func (m *model) merges() ([][2]string, error) {
	if len(m.Merges) == 0 {
		return nil, nil
	}
	var pairs [][2]string
	if err := json.Unmarshal(m.Merges, &pairs); err == nil {
		return pairs, nil
	}
	var lines []string
	if err := json.Unmarshal(m.Merges, &lines); err != nil {
		return nil, fmt.Errorf("merges: %w", err)
	}
	pairs = make([][2]string, len(lines))
	for i, l := range lines {
		cut := -1
		for j := 1; j < len(l); j++ {
			if l[j] == ' ' {
				cut = j
				break
			}
		}
		if cut < 0 || cut == len(l)-1 {
			return nil, fmt.Errorf("merges[%d]: %q is not a pair", i, l)
		}
		pairs[i] = [2]string{l[:cut], l[cut+1:]}
	}
	return pairs, nil
}

// read loads tokenizer.json; path is the file or its folder.
func read(path string) (*file, string, error) {
	if st, err := os.Stat(path); err == nil && st.IsDir() {
		path = filepath.Join(path, "tokenizer.json")
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, path, err
	}
	var f file
	if err := json.Unmarshal(b, &f); err != nil {
		return nil, path, fmt.Errorf("%s: %w", path, err)
	}
	return &f, path, nil
}

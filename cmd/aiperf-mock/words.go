package main

import (
	"fmt"
	"strings"

	"aiperf/internal/tokenizer"
)

// The answers are made of these: each, with the blank before it, is one token of every tiktoken
// encoding, and the encodings never join two words, so that n of them are exactly n tokens.
const wordList = `time year day week hour minute night world life hand part place case point company number group problem fact house
 home room door window wall floor table chair road street city town country state river water sea forest field tree leaf flower
 fruit seed stone metal wood paper book page line word letter story song music picture image color sound voice eye face head
 heart body foot arm back child boy girl man woman friend family mother father student doctor driver writer player leader worker
 king artist animal dog cat horse bird fish bear wolf mouse machine engine car train plane ship boat bridge station market shop
 store bank office school class course test question answer reason result cause effect plan project report message phone radio
 screen program system network server computer model data file code key lock box bag cup knife fork bread rice oil wine winter
 spring rain wind storm cloud sky sun moon star fire earth sand grass rock hill lake green blue red white black small large`

const fewestWords = 16

// A counter tells how many tokens a text has.
type counter interface{ Count(text string) int }

// byLength is the counter of --no-tokenizer: a token for every four characters begun.
type byLength struct{}

func (byLength) Count(text string) int { return (len([]rune(text)) + 3) / 4 }

// vocabulary returns the words, each with its blank, that are one token under c.
func vocabulary(c counter) ([]string, error) {
	var words []string
	_, rough := c.(byLength)
	for _, w := range strings.Fields(wordList) {
		if rough || c.Count(" "+w) == 1 {
			words = append(words, " "+w)
		}
	}
	if len(words) < fewestWords {
		return nil, fmt.Errorf("only %d of the mock's words are one token, need %d", len(words), fewestWords)
	}
	if n := c.Count(strings.Join(words, "")); !rough && n != len(words) {
		return nil, fmt.Errorf("%d one-token words in a row are %d tokens", len(words), n)
	}
	return words, nil
}

// openCounter returns the tokenizer of that name, loaded, and a note when another stands in for it.
func openCounter(name string) (counter, string, error) {
	t, err := tokenizer.Open(name)
	if err != nil {
		return nil, "", err
	}
	t.Count("load")
	return t, t.Note(), nil
}

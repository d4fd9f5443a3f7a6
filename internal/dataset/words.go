package dataset

import "strings"

// The words of the built-in text. Each is one token of r50k_base, cl100k_base and o200k_base (and so
// of every tiktoken encoding), with a blank before it and without: TestEveryWordIsOneToken.
// Every splitting pattern keeps " word" apart from what stands around it, so n pieces are n tokens.
const (
	openersText = `The This That Every Some One Our Their His Her My Your Each No Any Another`
	detsText    = `the a this that every some one our their his her my your each no any another`
	adjsText    = `small large old new red blue green white black dark light open full quick slow long short high low deep cold hot warm dry hard
 soft strong weak heavy early late simple true false free clear clean common public private local national young good bad
 great little real final main major single double central general special recent modern human natural important different
 available happy quiet fair rich safe fresh sharp round square flat`
	nounsText = `time year day week month hour minute night world life hand part place case point company number group problem fact house home
 room door window wall floor table chair road street city town country state river water sea forest field tree leaf flower
 fruit seed stone metal wood paper book page line word letter story song music picture image color sound voice eye face head
 heart body foot arm back child boy girl man woman friend family mother father student doctor driver writer reader player
 leader worker king artist animal dog cat horse bird fish cow bear wolf mouse machine engine car train plane ship boat bridge
 station market shop store bank office school class course test question answer reason result cause effect plan project report
 message phone radio screen program system network server computer model data file code key lock box bag cup plate knife fork
 bread rice oil wine winter spring rain wind storm cloud sky sun moon star fire earth sand grass rock hill lake`
	verbsText = `found made held left lost met sent read built sold turned opened closed started changed covered filled cut raised picked
 placed tested marked named called answered joined heard felt needed used ordered paid shared received created printed
 protected`
	prepsText = `in on at by with from for over under near before after between against through without inside outside`
	conjsText = `and but while because so until when where though since`
	advsText  = `often never always soon again usually once still almost`
)

// The punctuation pieces stand first.
const (
	stop = iota
	comma
	firstWord
)

type lexicon struct {
	bare, spaced                                        []string // by piece: without and with the blank before it
	openers, dets, adjs, nouns, verbs, preps, cons, adv []uint16
}

func newLexicon() *lexicon {
	l := &lexicon{bare: []string{".", ","}, spaced: []string{".", ","}}
	add := func(text string) []uint16 {
		var ids []uint16
		for _, w := range strings.Fields(text) {
			ids = append(ids, uint16(len(l.bare)))
			l.bare, l.spaced = append(l.bare, w), append(l.spaced, " "+w)
		}
		return ids
	}
	l.openers, l.dets, l.adjs, l.nouns = add(openersText), add(detsText), add(adjsText), add(nounsText)
	l.verbs, l.preps, l.cons, l.adv = add(verbsText), add(prepsText), add(conjsText), add(advsText)
	return l
}

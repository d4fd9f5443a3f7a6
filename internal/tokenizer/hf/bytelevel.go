package hf

// Byte-level vocabularies spell each byte as one printable character: the printable ones of Latin-1
// as themselves, the other 68 as U+0100 and up, in order (GPT-2's scheme).
var byteOf = byteTable()

func byteTable() map[rune]byte {
	of := make(map[rune]byte, 256)
	next := rune(0x100)
	for b := range 256 {
		r := rune(b)
		printable := b >= '!' && b <= '~' || b >= 0xa1 && b <= 0xac || b >= 0xae
		if !printable {
			r = next
			next++
		}
		of[r] = byte(b)
	}
	return of
}

// bytesOf undoes the spelling; false when s holds a character outside of it.
func bytesOf(s string) (string, bool) {
	out := make([]byte, 0, len(s))
	for _, r := range s {
		b, ok := byteOf[r]
		if !ok {
			return "", false
		}
		out = append(out, b)
	}
	return string(out), true
}

package hf

import "sync"

// bpe merges the bytes of one word by rank, lowest first, leftmost of equals.
type bpe struct {
	vocab  map[string]int32 // raw bytes: id
	merges map[uint64]merge // left id << 32 | right id
	bytes  [256]int32       // the id of each single byte; -1 when the vocabulary lacks it
	whole  bool             // ignore_merges: a word that is in the vocabulary is one token

	mu    sync.RWMutex
	cache map[string][]int32
}

type merge struct{ rank, id int32 }

// cacheWords bounds the word cache; natural text has far fewer distinct words.
const cacheWords = 1 << 17

// append adds the ids of word to out. Bytes that the vocabulary lacks give nothing, as in the
// reference implementation without an unknown token.
func (b *bpe) append(out []int, word []byte) []int {
	b.mu.RLock()
	ids, ok := b.cache[string(word)]
	b.mu.RUnlock()
	if !ok {
		ids = b.encode(word)
		if len(word) <= 64 {
			b.mu.Lock()
			if len(b.cache) >= cacheWords {
				b.cache = make(map[string][]int32)
			}
			b.cache[string(word)] = ids
			b.mu.Unlock()
		}
	}
	for _, id := range ids {
		out = append(out, int(id))
	}
	return out
}

type symbol struct {
	id         int32
	prev, next int32
}

func (b *bpe) encode(word []byte) []int32 {
	if b.whole {
		if id, ok := b.vocab[string(word)]; ok {
			return []int32{id}
		}
	}
	syms := make([]symbol, 0, len(word))
	for _, c := range word {
		if id := b.bytes[c]; id >= 0 {
			n := int32(len(syms))
			syms = append(syms, symbol{id, n - 1, n + 1})
		}
	}
	if len(syms) == 0 {
		return nil
	}
	syms[len(syms)-1].next = -1
	var q queue
	for i := range syms {
		b.offer(&q, syms, int32(i))
	}
	for len(q) > 0 {
		c := q.pop()
		left := &syms[c.pos]
		if left.id != c.left || left.next < 0 || syms[left.next].id != c.right {
			continue // one of the two has been merged since
		}
		right := &syms[left.next]
		left.id = c.to
		right.id = -1
		left.next = right.next
		if left.next >= 0 {
			syms[left.next].prev = c.pos
		}
		b.offer(&q, syms, c.pos)
		if left.prev >= 0 {
			b.offer(&q, syms, left.prev)
		}
	}
	var ids []int32
	for i := int32(0); i >= 0; i = syms[i].next {
		ids = append(ids, syms[i].id)
	}
	return ids
}

// offer queues the pair that starts at pos, if it can be merged.
func (b *bpe) offer(q *queue, syms []symbol, pos int32) {
	next := syms[pos].next
	if next < 0 {
		return
	}
	l, r := syms[pos].id, syms[next].id
	if m, ok := b.merges[uint64(uint32(l))<<32|uint64(uint32(r))]; ok {
		q.push(candidate{uint64(uint32(m.rank))<<32 | uint64(uint32(pos)), pos, l, r, m.id})
	}
}

type candidate struct {
	key             uint64 // rank, then position
	pos             int32
	left, right, to int32
}

// queue is a binary heap, lowest key first.
type queue []candidate

func (q *queue) push(c candidate) {
	h := append(*q, c)
	i := len(h) - 1
	for i > 0 {
		p := (i - 1) / 2
		if h[p].key <= h[i].key {
			break
		}
		h[p], h[i] = h[i], h[p]
		i = p
	}
	*q = h
}

func (q *queue) pop() candidate {
	h := *q
	top := h[0]
	n := len(h) - 1
	h[0] = h[n]
	h = h[:n]
	for i := 0; ; {
		c := 2*i + 1
		if c >= n {
			break
		}
		if c+1 < n && h[c+1].key < h[c].key {
			c++
		}
		if h[i].key <= h[c].key {
			break
		}
		h[i], h[c] = h[c], h[i]
		i = c
	}
	*q = h
	return top
}

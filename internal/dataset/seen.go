package dataset

import "aiperf/schema"

// An idSet is a set of numbers that are mostly dense: one bit each, in pages.
type idSet map[int64]*[1024]uint64

func (s idSet) has(id int64) bool {
	p := s[id>>16]
	return p != nil && p[id>>6&1023]&(1<<(id&63)) != 0
}

func (s idSet) put(id int64) {
	p := s[id>>16]
	if p == nil {
		p = new([1024]uint64)
		s[id>>16] = p
	}
	p[id>>6&1023] |= 1 << (id & 63)
}

// add counts the leading blocks that an infinite prefix cache holds already, and puts all in it.
func (s idSet) add(ids []int64) *schema.PrefixBlocks {
	b := &schema.PrefixBlocks{Total: int64(len(ids))}
	for _, id := range ids {
		if !s.has(id) {
			break
		}
		b.Hit++
	}
	for _, id := range ids {
		s.put(id)
	}
	return b
}

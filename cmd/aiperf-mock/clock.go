package main

import (
	"container/heap"
	"context"
	"sync"
	"time"
)

// A clock wakes streams at absolute moments. The runtime's own timers wait in whole milliseconds
// while the process is idle, so one alarm of the kernel's stands behind all waiters where there is one.
type clock struct {
	mu    sync.Mutex
	queue queue
	arm   func(time.Duration) // rings once after d > 0; a later call replaces an earlier one
}

// A waiter is one stream's place in the queue; it waits for one moment at a time.
type waiter struct {
	due  time.Time
	wake chan struct{}
}

func newWaiter() *waiter { return &waiter{wake: make(chan struct{}, 1)} }

func newClock() *clock {
	c := &clock{}
	c.arm = newAlarm(c.ring)
	return c
}

// wait returns at due, at once when due is past, or with ctx's error when that ends earlier;
// after an error w is spent.
func (c *clock) wait(ctx context.Context, w *waiter, due time.Time) error {
	d := time.Until(due)
	if d <= 0 {
		return ctx.Err()
	}
	w.due = due
	c.mu.Lock()
	heap.Push(&c.queue, w)
	if c.queue[0] == w {
		c.arm(d)
	}
	c.mu.Unlock()
	select {
	case <-w.wake:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// ring wakes everyone whose moment has come.
func (c *clock) ring() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.queue) > 0 {
		if d := time.Until(c.queue[0].due); d > 0 {
			c.arm(d)
			return
		}
		heap.Pop(&c.queue).(*waiter).wake <- struct{}{}
	}
}

// softAlarm is the runtime's timer.
func softAlarm(ring func()) func(time.Duration) {
	t := time.AfterFunc(time.Hour, ring)
	return func(d time.Duration) { t.Reset(d) }
}

type queue []*waiter

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return q[i].due.Before(q[j].due) }
func (q queue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)        { *q = append(*q, x.(*waiter)) }
func (q *queue) Pop() any {
	old := *q
	w := old[len(old)-1]
	old[len(old)-1] = nil
	*q = old[:len(old)-1]
	return w
}

// SPDX-License-Identifier: MIT
//
// goroutines.go - stacks of Go that know what they are, one kind for each
// argument; both CPUs run it.
//
//	leaf	main > forever > callsLeaf > leafWithoutFrame
//	c	forever > callsC > cgo > c_calls > c_spins
//	back	forever > isCalledBack > cgo > c_calls_back > cgo >
//		goIsCalled > leafWithoutFrame
//	grow	2,000 times goesDown, on a stack that grows on the way
//	clock	forever > readsClock > time.Now > the vdso, on another stack
//	collect	garbage, collected by the runtime on its own stacks
package main

/*
static __attribute__((noinline)) long c_spins(long n)
{
	volatile long sum = 0;

	for (long i = 0; i < n; i++)
		sum += i;
	return sum;
}

static __attribute__((noinline)) long c_calls(long n)
{
	return c_spins(n) + 1;
}

extern long goIsCalled(long);

static __attribute__((noinline)) long c_calls_back(long n)
{
	return goIsCalled(n) + 1;
}
*/
import "C"

import (
	"os"
	"runtime"
	"time"
)

var sink int

//go:noinline
func leafWithoutFrame(n int) int {
	sum := 0
	for i := 0; i < n; i++ {
		sum += i * i
	}
	return sum
}

//go:noinline
func callsLeaf() int { return leafWithoutFrame(300000) + 1 }

//go:noinline
func goesDown(depth int) int {
	var room [64]int

	room[depth%64] = depth
	if depth == 0 {
		return leafWithoutFrame(100000)
	}
	return goesDown(depth-1) + room[(depth*7)%64]
}

//go:noinline
func growsStack() int {
	done := make(chan int)
	go func() { done <- goesDown(2000) }()
	return <-done
}

//export goIsCalled
func goIsCalled(n C.long) C.long {
	return C.long(leafWithoutFrame(int(n)))
}

//go:noinline
func callsC() int { return int(C.c_calls(300000)) }

//go:noinline
func isCalledBack() int { return int(C.c_calls_back(300000)) }

//go:noinline
func readsClock() int {
	n := 0
	for i := 0; i < 3000; i++ {
		n += int(time.Now().UnixNano() & 1)
	}
	return n
}

//go:noinline
func collects() int {
	keep := make([][]byte, 100)
	for i := range keep {
		keep[i] = make([]byte, 10000)
	}
	return len(keep)
}

//go:noinline
func forever(f func() int) {
	for {
		sink += f()
	}
}

func main() {
	kinds := map[string]func() int{
		"leaf": callsLeaf, "c": callsC, "back": isCalledBack,
		"grow": growsStack, "clock": readsClock, "collect": collects,
	}

	time.AfterFunc(5*time.Minute, func() { os.Exit(0) })
	runtime.GOMAXPROCS(2)
	forever(kinds[os.Args[1]])
}

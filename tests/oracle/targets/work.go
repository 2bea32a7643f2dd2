// SPDX-License-Identifier: MIT

// work.go - Go: goroutines, maps, interfaces, the collector, for ten minutes.
package main

import (
	"fmt"
	"sort"
	"strings"
	"time"
)

type shape interface{ area(n int) int }
type square struct{}
type circle struct{}

//go:noinline
func (square) area(n int) int { return n * n }

//go:noinline
func (circle) area(n int) int {
	total := 0
	for i := 0; i < n; i++ {
		total += i % 7
	}
	return total
}

//go:noinline
func deep(n int, shapes []shape) int {
	if n == 0 {
		total := 0
		for _, s := range shapes {
			total += s.area(200)
		}
		return total
	}
	return deep(n-1, shapes) + n
}

//go:noinline
func sorted(n int) int {
	var words []string
	for i := 0; i < n; i++ {
		words = append(words, fmt.Sprint(i*37%n))
	}
	sort.Strings(words)
	return len(strings.Join(words, ","))
}

func work(end time.Time, out chan<- int) {
	total := 0
	for time.Now().Before(end) {
		total += deep(20, []shape{square{}, circle{}}) + sorted(50)
	}
	out <- total
}

func main() {
	end := time.Now().Add(600 * time.Second)
	out := make(chan int)
	go work(end, out)
	go work(end, out)
	fmt.Println(<-out + <-out)
}

// SPDX-License-Identifier: MIT
//
// goload.go - what Go programs do when they are busy, one kind for each
// argument; both CPUs run it.
//
//	alloc	garbage of many sizes, on eight goroutines
//	talk	channels, select, mutexes and timers between goroutines
//	serve	a server of HTTP and its clients, over the loopback
//	preempt	loops without calls, which the runtime interrupts by signals
//	start	goroutines that end at once, whose stacks grow
package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"runtime"
	"sort"
	"strings"
	"sync"
	"time"
)

type node struct {
	left, right *node
	name        string
	bytes       []byte
}

//go:noinline
func tree(depth int) *node {
	n := &node{name: fmt.Sprint("node ", depth), bytes: make([]byte, depth*7)}
	if depth > 0 {
		n.left, n.right = tree(depth-1), tree(depth-1)
	}
	return n
}

func alloc() {
	for i := 0; i < 8; i++ {
		go func() {
			m := map[string]*node{}
			for k := 0; ; k++ {
				m[fmt.Sprint(k%100)] = tree(k % 8)
				var words []string
				for w := 0; w < 50; w++ {
					words = append(words, fmt.Sprint(w*37%50))
				}
				sort.Strings(words)
				m["joined"] = &node{name: strings.Join(words, ",")}
			}
		}()
	}
}

func talk() {
	var mu sync.Mutex
	shared := map[int]int{}
	for i := 0; i < 20; i++ {
		there, back := make(chan int), make(chan int)
		go func() {
			for v := range there {
				back <- v + 1
			}
		}()
		go func(i int) {
			tick := time.NewTicker(time.Millisecond)
			v := 0
			for {
				select {
				case there <- v:
					v = <-back
					mu.Lock()
					shared[i] = v
					mu.Unlock()
				case <-tick.C:
					runtime.Gosched()
				}
			}
		}(i)
	}
}

func serve() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println(l.Addr())
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "hello %v %v", r.URL, tree(3).name)
	})
	go http.Serve(l, nil)
	if len(os.Args) > 2 {
		return
	}
	for i := 0; i < 6; i++ {
		go func() {
			for {
				r, err := http.Get("http://" + l.Addr().String() + "/x")
				if err != nil {
					continue
				}
				io.ReadAll(r.Body)
				r.Body.Close()
			}
		}()
	}
}

var sink int

func preempt() {
	for i := 0; i < 6; i++ {
		go func() {
			sum := 0
			for k := 0; ; k++ {
				sum += k * k
				if sum == 1 {
					sink = sum
				}
			}
		}()
	}
	go func() {
		for {
			runtime.GC()
		}
	}()
}

//go:noinline
func goesDown(depth int) int {
	var room [64]int

	room[depth%64] = depth
	if depth == 0 {
		return room[sink&63]
	}
	return goesDown(depth-1) + room[(depth*7)%64]
}

func start() {
	for i := 0; i < 4; i++ {
		go func() {
			for {
				var all sync.WaitGroup
				for k := 0; k < 20; k++ {
					all.Add(1)
					go func() {
						sink += goesDown(60)
						all.Done()
					}()
				}
				all.Wait()
			}
		}()
	}
}

func main() {
	runtime.GOMAXPROCS(2)
	time.AfterFunc(5*time.Minute, func() { os.Exit(0) })
	map[string]func(){
		"alloc": alloc, "talk": talk, "serve": serve,
		"preempt": preempt, "start": start,
	}[os.Args[1]]()
	select {}
}

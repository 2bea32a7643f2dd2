// SPDX-License-Identifier: MIT
// work.rs - Rust: closures, traits, collections, threads, for a few seconds.
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

trait Shape {
    fn area(&self, n: u64) -> u64;
}

struct Square;
struct Circle;

impl Shape for Square {
    #[inline(never)]
    fn area(&self, n: u64) -> u64 {
        n * n
    }
}

impl Shape for Circle {
    #[inline(never)]
    fn area(&self, n: u64) -> u64 {
        (0..n).map(|i| i % 7).sum()
    }
}

#[inline(never)]
fn deep(n: u64, shapes: &[Box<dyn Shape>]) -> u64 {
    if n == 0 {
        return shapes.iter().map(|s| s.area(50)).sum();
    }
    deep(n - 1, shapes) + n
}

#[inline(never)]
fn sorted(n: u64) -> u64 {
    let mut v: Vec<String> = (0..n).map(|i| format!("{}", i * 37 % n)).collect();
    v.sort_by(|a, b| b.cmp(a));
    let m: BTreeMap<&String, usize> = v.iter().zip(0..).collect();
    m.len() as u64
}

fn work(end: Instant) -> u64 {
    let shapes: Vec<Box<dyn Shape>> = vec![Box::new(Square), Box::new(Circle)];
    let mut total = 0u64;
    while Instant::now() < end {
        total = total.wrapping_add(deep(20, &shapes) + sorted(50));
    }
    total
}

fn main() {
    let end = Instant::now() + Duration::from_secs(600);
    let other = std::thread::spawn(move || work(end));
    println!("{}", work(end) + other.join().unwrap());
}

// SPDX-License-Identifier: MIT
// Work.java - Java: interfaces, collections, strings, threads, for ten minutes.
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;

public class Work {
    interface Shape { int area(int n); }
    static class Square implements Shape {
        public int area(int n) { return n * n; }
    }
    static class Circle implements Shape {
        public int area(int n) {
            int total = 0;
            for (int i = 0; i < n; i++) total += i % 7;
            return total;
        }
    }

    static int deep(int n, List<Shape> shapes) {
        if (n == 0) {
            int total = 0;
            for (Shape s : shapes) total += s.area(300);
            return total;
        }
        return deep(n - 1, shapes) + n;
    }

    static int sorted(int n) {
        List<String> words = new ArrayList<>();
        for (int i = 0; i < n; i++) words.add(Integer.toString(i * 37 % n));
        Collections.sort(words);
        TreeMap<String, Integer> map = new TreeMap<>();
        for (String w : words) map.merge(w, 1, Integer::sum);
        return map.size();
    }

    static void work() {
        long end = System.nanoTime() + 600_000_000_000L;
        List<Shape> shapes = List.of(new Square(), new Circle());
        int total = 0;
        while (System.nanoTime() < end) total += deep(20, shapes) + sorted(50);
        System.out.println(total);
    }

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(Work::work);
        other.start();
        work();
        other.join();
    }
}

#!/bin/sh
# Files that are not called what they are called, and files that lack what
# names are usually made from. Each keeps its names.
# Beside others.
. "$(dirname "$0")/target.sh"

names() {
	record -d 0.6 -F 199 "$pid"
	expect "$1"
}

# Names that the kernel writes in another way, or that look like its own.
for name in 'new
line' 'new
line (deleted)' 'gone (deleted)' ' blank ' 'back\slash\012' 'semi;colon 12'; do
	cp "$build/targets/shares" "$dir/$name"
	run "$dir/$name" 1 20
	names ';_start;.*;work;left;fifty '
	end
done
run "$dir/new
line (deleted)" 1 20
rm "$dir/new
line (deleted)" "$dir/gone (deleted)"
cp "$build/targets/busy" "$dir/new
line"
[ "$(id -u)" != 0 ] || names ';_start;.*;work;left;fifty '
end

# A separate debug file is taken if its build id is right, and refused else.
if has objcopy && compile 'cc -O2 -Wl,--build-id' -o "$dir/split" \
	tests/targets/shares.c; then
	cp "$dir/split" "$dir/whole"
	objcopy --only-keep-debug "$dir/split" "$dir/split.debug"
	objcopy --strip-all "$dir/split"
	objcopy --add-gnu-debuglink="$dir/split.debug" "$dir/split"
	run "$dir/split" 1 20
	names ';_start;.*;work;left;fifty '
	end

	compile 'cc -O1 -Wl,--build-id=0x1234567890' -o "$dir/other" \
		tests/targets/shares.c
	objcopy --only-keep-debug "$dir/other" "$dir/split.debug"
	run "$dir/split" 1 20
	names ';split\+0x[0-9a-f]+ '
	refuse 'fifty|work|left'
	end
fi

# Without section headers there are the segments: callers as they are.
without_headers() {
	python3 - "$1" "$2" <<-'END'
		import sys
		data = bytearray(open(sys.argv[1], "rb").read())
		data[40:48] = bytes(8)
		data[58:64] = bytes(6)
		open(sys.argv[2], "wb").write(data)
	END
	chmod +x "$2"
}
if has strip && has python3 && compile 'cc -O2' -o "$dir/whole" \
	tests/targets/shares.c; then
	strip "$dir/whole"
	without_headers "$dir/whole" "$dir/bare"
	run "$dir/bare" 1 20
	names ';__libc_start_main;.*;bare\+0x[0-9a-f]+;bare\+0x[0-9a-f]+ '
	refuse '\[cut\]'
	end
fi

# Go has a table of its own, and needs neither symbols nor sections.
if has go && has python3; then
	cat >"$dir/spin.go" <<-'END'
		package main

		import "time"

		//go:noinline
		func leaf(n int) (sum int) {
			for i := 0; i < n; i++ {
				sum = sum*31 + i
			}
			return
		}

		//go:noinline
		func caller(n int) int { return leaf(n) + 1 }

		func main() {
			for begin := time.Now(); time.Since(begin) < 20*time.Second; {
				caller(1000000)
			}
		}
	END
	for mode in exe pie; do
		go build -ldflags='-s -w' -buildmode=$mode \
			-o "$dir/whole" "$dir/spin.go" 2>"$dir/compiler" ||
			wrong "go: $(cat "$dir/compiler")"
		without_headers "$dir/whole" "$dir/bare"
		run "$dir/bare"
		names ';runtime.main;main.main;main.caller;main.leaf '
		end
	done
fi

# Two schemes of one language.
if has rustc; then
	cat >"$dir/names.rs" <<-'END'
		mod inner {
		    pub trait Turn { fn turn(&self) -> u64; }
		    pub struct Wheel<T>(pub T);
		    impl Turn for Wheel<u64> {
		        #[inline(never)]
		        fn turn(&self) -> u64 {
		            let mut n = self.0;
		            for i in 0..5_000_000u64 {
		                n = std::hint::black_box(n ^ i);
		            }
		            n
		        }
		    }
		}
		use inner::Turn;
		fn main() {
		    let end = std::time::Instant::now();
		    while end.elapsed().as_secs() < 20 {
		        std::hint::black_box(inner::Wheel(7u64).turn());
		    }
		}
	END
	for scheme in legacy v0; do
		# The old one is for nightly compilers by now.
		RUSTC_BOOTSTRAP=1 rustc -O -Z unstable-options \
			-C symbol-mangling-version=$scheme \
			-o "$dir/rust_$scheme" "$dir/names.rs" \
			2>"$dir/compiler" || {
			echo "not tested: $scheme: $(cat "$dir/compiler")"
			continue
		}
		run "$dir/rust_$scheme"
		names 'Wheel<u64>.*Turn>::turn '
		refuse '_R[NY]|_ZN|::h[0-9a-f]{16}'
		end
	done
fi
finish

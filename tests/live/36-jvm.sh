#!/bin/sh
# A Java VM names its code when a key says so, and not before.
# Beside others.
. "$(dirname "$0")/target.sh"
has java && has javac && has jcmd && has python3 || exit 77

cat >"$dir/Spin.java" <<'END'
public class Spin {
	static int burnNumbers(int n) {
		int sum = 0;
		for (int i = 0; i < n; i++) sum = sum * 31 + i;
		return sum;
	}
	public static void main(String[] args) {
		long end = System.currentTimeMillis() + 120000;
		int sum = 0;
		while (System.currentTimeMillis() < end)
			sum += burnNumbers(1000000);
		System.out.println(sum);
	}
}
END
javac -d "$dir" "$dir/Spin.java" || exit 1
run java -XX:+PreserveFramePointer -XX:-Inline -cp "$dir" Spin
map=/tmp/perf-$pid.map
trap 'end_all; rm -f "$map"' EXIT
sleep 1.5
[ ! -e "$map" ] || wrong "there is a map already"
python3 "$(dirname "$0")/jvm.py" "$build" "$pid" 'Spin.burnNumbers' ||
	wrong "the key J"
record -d 2 "$pid"
expect ';int Spin.burnNumbers\(int\)_\[j\] '
finish

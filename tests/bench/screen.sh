#!/bin/sh
# What the screen costs, and how still it is. BUILD is $1. False when a bar is
# missed; the bars are on the lines that are printed.
#
# recorded/ has ten seconds each of a C compiler, of Python and of JavaScript
# under load.
build=$1
here=$(dirname "$0")
status=0
"$build/screen-frames" || status=1
"$build/screen-calm" "$here"/recorded/*.folded.gz || status=1
exit $status

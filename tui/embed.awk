# embed.awk - files to C strings: themes/dusk.theme becomes a row of
# builtin_files[] with kind "theme", name "dusk" and the file's lines.

function quoted(text) {
	gsub(/\\/, "&&", text)
	gsub(/"/, "\\\\&", text)
	return "\"" text
}

BEGIN {
	print "/* Made by tui/embed.awk. */"
	print "#include \"tui/builtin.h\"\n"
	print "#include <stddef.h>\n"
	print "const struct builtin builtin_files[] = {"
}

FNR == 1 {
	if (NR > 1)
		print "\t},"
	name = kind = FILENAME
	sub(/.*\//, "", name)
	sub(/\.[^.]*$/, "", name)
	sub(/.*\./, "", kind)
	printf "\t{ \"%s\", \"%s\",\n", kind, name
}

{ print "\t  " quoted($0) "\\n\"" }

END {
	if (NR > 0)
		print "\t},"
	print "\t{ NULL, NULL, NULL },"
	print "};"
}

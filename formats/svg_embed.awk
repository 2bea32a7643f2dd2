# svg_embed.awk - svg.js and svg.css to C strings. Behind the latter stand the
# colours of frames, of themes/light.theme and, where it is dark, of
# themes/dusk.theme.

function quoted(text) {
	gsub(/\\/, "&&", text)
	gsub(/"/, "\\\\&", text)
	return "\t\"" text "\\n\"\n"
}

# "program-1  #000000/black  #ffaf5f/green" to two rules.
function rules(style, text, box) {
	sub("/.*", "", text)
	sub("/.*", "", box)
	return quoted("." style " rect { fill: " box " } ." style \
		" text { fill: " text " }")
}

FILENAME ~ /js$/ {
	script = script quoted($0)
	next
}

FILENAME ~ /css$/ {
	style = style quoted($0)
	next
}

# A hit is one whatever else it is, so its rules come last.
$1 == "hit" { hit[FILENAME ~ /dusk/] = rules($1, $2, $3) }

/^(root|(program|library|kernel|jit|thread|unknown)-[1-4]) / ||
/^diff-(more-[1-3]|less-[1-3]|same|new) / {
	colours[FILENAME ~ /dusk/] = colours[FILENAME ~ /dusk/] \
		rules($1, $2, $3)
}

END {
	print "/* Made by formats/svg_embed.awk. */"
	print "#include \"formats/svg_private.h\"\n"
	printf "const char svg_script[] =\n%s\t;\n\n", script
	printf "const char svg_style[] =\n%s%s%s%s%s%s%s\t;\n", style,
		colours[0], hit[0],
		quoted("@media (prefers-color-scheme: dark) {"),
		colours[1], hit[1], quoted("}")
}

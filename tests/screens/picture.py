#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A captured screen as SVG:

    tmux capture-pane -e -p -N | picture.py [--dark|--light] > file.svg

for a terminal that is dark or light itself.

Knows the SGR sequences that tmux writes (bold, dim, underline, reverse, 16,
256 and 24-bit colours); anything else in the input is a mistake and ends it.
"""
import re
import sys
import unicodedata
from xml.sax.saxutils import escape

CELL_W, CELL_H, SIZE = 8, 17, 13
FG, BG = {"--dark": ("#d0d0d0", "#101418"), "--light": ("#202428", "#ffffff")}[
    sys.argv[1] if len(sys.argv) > 1 else "--dark"]
SIXTEEN = ["#000000", "#cd3131", "#0dbc79", "#e5e510", "#2472c8", "#bc3fbc",
           "#11a8cd", "#e5e5e5", "#666666", "#f14c4c", "#23d18b", "#f5f543",
           "#3b8eea", "#d670d6", "#29b8db", "#ffffff"]
BLOCKS = {char: eighths for eighths, char in enumerate("▏▎▍▌▋▊▉█", 1)}


def colour(number):
    if number < 16:
        return SIXTEEN[number]
    if number >= 232:
        return "#" + 3 * ("%02x" % (8 + 10 * (number - 232)))
    number -= 16
    steps = [0, 95, 135, 175, 215, 255]
    return "#%02x%02x%02x" % (steps[number // 36], steps[number // 6 % 6],
                              steps[number % 6])


class Pen:
    def __init__(self):
        self.reset()

    def reset(self):
        self.fg = self.bg = None
        self.bold = self.dim = self.under = self.reverse = False

    def sgr(self, codes):
        codes = [int(c or 0) for c in codes]
        while codes:
            code = codes.pop(0)
            if code == 0:
                self.reset()
            elif code in (1, 2, 4, 7):
                setattr(self, {1: "bold", 2: "dim", 4: "under",
                               7: "reverse"}[code], True)
            elif code == 22:
                self.bold = self.dim = False
            elif code == 24:
                self.under = False
            elif code == 27:
                self.reverse = False
            elif code in (38, 48):
                if codes.pop(0) == 5:
                    value = colour(codes.pop(0))
                else:
                    value = "#%02x%02x%02x" % tuple(codes[:3])
                    del codes[:3]
                setattr(self, "fg" if code == 38 else "bg", value)
            elif code == 39:
                self.fg = None
            elif code == 49:
                self.bg = None
            elif 30 <= code <= 37 or 90 <= code <= 97:
                self.fg = SIXTEEN[code - 30 if code < 90 else code - 82]
            elif 40 <= code <= 47 or 100 <= code <= 107:
                self.bg = SIXTEEN[code - 40 if code < 100 else code - 92]

    def look(self):
        fg, bg = self.fg or FG, self.bg or BG
        if self.reverse:
            fg, bg = bg, fg
        return fg, bg, self.bold, self.under, self.dim


def runs(line, pen):
    """(column, width, text, look) of each stretch of one look."""
    column = 0
    for part in re.split(r"(\x1b\[[0-9;]*m|\x1b\(B|[\x0e\x0f])", line):
        if part.startswith("\x1b["):
            pen.sgr(part[2:-1].split(";"))
        elif part and part[0] not in "\x1b\x0e\x0f":
            for text in pieces(part):
                width = sum(map(cells, text))
                yield column, width, text, pen.look()
                column += width


def cells(char):
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def pieces(text):
    """What a font may draw in a width of its own stands alone."""
    return re.findall(r"[\u2580-\u259f]|[\u1100-\uffff]+|"
                      r"[^\u1100-\uffff\u2580-\u259f]+|.", text)


def main():
    lines = sys.stdin.read().rstrip("\n").split("\n")
    pen, body, columns = Pen(), [], 0
    for row, line in enumerate(lines):
        for column, width, text, look in runs(line, pen):
            fg, bg, bold, under, dim = look
            x, y = column * CELL_W, row * CELL_H
            if bg != BG:
                body.append(f'<rect x="{x}" y="{y}" width="{width * CELL_W}"'
                            f' height="{CELL_H}" fill="{bg}"/>')
            if text in BLOCKS:
                body.append(f'<rect x="{x}" y="{y}" height="{CELL_H}" width="'
                            f'{BLOCKS[text] * CELL_W / 8:g}" fill="{fg}"/>')
            elif text.strip():
                extra = ' font-weight="bold"' if bold else ""
                extra += ' text-decoration="underline"' if under else ""
                extra += ' opacity="0.6"' if dim else ""
                body.append(f'<text x="{x}" y="{y + 13}" fill="{fg}"'
                            f' textLength="{width * CELL_W}" '
                            f'xml:space="preserve"{extra}>'
                            f'{escape(text)}</text>')
            columns = max(columns, column + width)
    width, height = columns * CELL_W, len(lines) * CELL_H
    print(f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" '
          f'height="{height}" font-family="DejaVu Sans Mono,Menlo,Consolas,'
          f'monospace" font-size="{SIZE}">\n'
          f'<rect width="100%" height="100%" fill="{BG}"/>')
    print("\n".join(body))
    print("</svg>")


main()

#!/usr/bin/perl
# grid.pl - a captured screen as stable text: tmux capture-pane -e -p -N | it
#
# Each line is a bar, the text, and the runs of characters that do not look
# like the terminal's default: " | 0-8 16/223+bold" is black on colour 223.
use strict;
use warnings;

binmode STDIN, ':encoding(UTF-8)';
binmode STDOUT, ':encoding(UTF-8)';

my %flags = (1 => 'bold', 2 => 'dim', 4 => 'underline', 7 => 'reverse',
	     5 => 'blink', 3 => 'italics', 9 => 'struck');
my ($fg, $bg, %on) = ('-', '-');

sub set_pen {
	my @codes = split /[;:]/, shift;
	@codes = (0) unless @codes;
	while (@codes) {
		my $c = shift @codes;
		if ($c eq '' || $c == 0) { ($fg, $bg, %on) = ('-', '-'); }
		elsif ($flags{$c}) { $on{$flags{$c}} = 1; }
		elsif ($c == 22) { delete @on{'bold', 'dim'}; }
		elsif ($c > 22 && $c < 30) { delete $on{$flags{$c - 20}}; }
		elsif ($c == 39) { $fg = '-'; }
		elsif ($c == 49) { $bg = '-'; }
		elsif ($c == 38 || $c == 48) {
			my $value = shift @codes;
			$value = $value == 5 ? shift @codes :
			    join ',', splice @codes, 0, 3;
			($c == 38 ? $fg : $bg) = $value;
		}
		elsif ($c >= 30 && $c < 38) { $fg = $c - 30; }
		elsif ($c >= 40 && $c < 48) { $bg = $c - 40; }
		elsif ($c >= 90 && $c < 98) { $fg = $c - 82; }
		elsif ($c >= 100 && $c < 108) { $bg = $c - 92; }
		else { die "unknown SGR $c\n"; }
	}
}

sub look {
	my $attributes = join '+', sort keys %on;
	my $colours = "$fg/$bg" eq '-/-' ? '' : "$fg/$bg";
	return $colours . ($attributes ? "+$attributes" : '');
}

while (my $line = <STDIN>) {
	chomp $line;
	my ($text, @looks) = ('');
	while ($line =~ /\G(?:\e\[([\d;:]*)m|\e\([B0]|[\x0e\x0f]|(.))/g) {
		if (defined $1) { set_pen($1); next; }
		next unless defined $2;
		$text .= $2;
		push @looks, look();
	}
	$text =~ s/\s+$//;
	# Blanks that are bold and no more look like any others; whether curses
	# makes them so depends on what was drawn at once.
	for my $i (length $text .. $#looks) {
		$looks[$i] = '' if $looks[$i] eq '+bold';
	}
	my @runs;
	for (my $i = 0; $i < @looks; $i++) {
		my $start = $i;
		$i++ while $i + 1 < @looks && $looks[$i + 1] eq $looks[$i];
		push @runs, "$start-$i $looks[$i]" if $looks[$i] ne '';
	}
	print "|$text", @runs ? ' | ' . join(', ', @runs) : '', "\n";
}

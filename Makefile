# flametop - one binary, no configure step.
#
#   make            build ./flametop
#   make demo       install what is missing, build, and look at a busy program
#   make test       install what is missing; checks and unit tests
#   make check      layers, headers, globals, sizes
#   make live       tests on real processes (needs perf or ptrace rights)
#   make screens    scripted keys against the screen, in tmux
#   make pictures   docs/pictures, from the real screen
#   make fuzz       ten seconds for each parser (clang)
#   make man        docs/flametop.1, docs/completion and README's keys, from the
#                   program's tables
#   make oracle     programs that hold our stacks against others (tests/README.md)
#   make truth      the table of that, and of single steps: half an hour
#   make bench      ratios to other tools, side by side (make bench-screen: of
#                   the screen alone; make bench-folded: of reading)
#   make install    into PREFIX (/usr/local)
#   make SAN=1 ...  under AddressSanitizer and UBSan; SAN=thread: TSan
#   make V=1 ...    show the commands

CC      ?= cc
CFLAGS  ?= -O2 -g
PREFIX  ?= /usr/local
WARN    := -Wall -Wextra -Wshadow -Wvla -Wstrict-prototypes \
           -Wmissing-prototypes -Wwrite-strings -Wundef
comma   := ,
SAN_FLAGS := $(if $(SAN),$(if $(filter thread,$(SAN)),-fsanitize=thread,\
             -fsanitize=address$(comma)undefined -fno-sanitize-recover=undefined) -O1)
BUILD   ?= build$(if $(SAN),-san$(filter thread,$(SAN)))
override CPPFLAGS += -D_GNU_SOURCE -I. -I$(BUILD) \
                     $(if $(SAN),-DFLAMETOP_SANITIZED)
override CFLAGS   += -std=c11 $(WARN) -fno-omit-frame-pointer -pthread \
                     $(SAN_FLAGS)
LDLIBS  := -lncursesw -ltinfo -lunwind-x86_64 -lunwind -liberty -lpcre2-8 -lz \
           -lzstd -llzma -ljansson -lm
Q       := $(if $(V),,@)
say      = $(if $(V),,@printf '  %-6s %s\n' $(1) $(2))

# Listed, not globbed: a file that is not here is not part of the program.
CORE    := attributes base baseline blocks blocks_keys calltree compare \
           compare_blame compare_blocks compare_frame compare_guard \
           compare_judge compare_rows diff hue image inflation lookup maps \
           maps_parse marks match matcher merge names pattern picture \
           picture_base picture_carry picture_change picture_filter \
           picture_frames picture_functions picture_gains picture_leaves \
           picture_lost picture_many picture_news picture_path picture_recent \
           picture_sides picture_spread plain_name profile reader rows sample \
           sanitise slots spread stack_funcs strings student table transform \
           transformer trend unicode weights work
UNWIND  := again base code compact course flow fp frames full handler \
           instruction libunwind program rules signal stride trail unwind \
           unwinder
SAMPLER := calls dump dump_locks dump_take perf perf_attr perf_copy \
           perf_deliver perf_events perf_record perf_ring perf_threads \
           process_list procstat ptrace ptrace_lines ptrace_maps \
           ptrace_process ptrace_stop ptrace_wait refusal sockets space \
           space_memory space_torn space_walk stitch stop_watch target \
           thread_counts wait wait_lock wait_text waiting
SYMBOLS := alias calls cfi cfi_code cfi_entry cfi_expression cfi_holes \
           cfi_index cfi_program demangle dwarf dwarf_abbrev dwarf_die \
           dwarf_name dwarf_span elf elf_links explain explain_symbols fde \
           go_module go_rows go_sites go_switch hexline jitdump kallsyms \
           line_header line_rows memfile minidebug pclntab pclntab_find \
           pclntab_lines perfmap places plt radix ranges ranges_settle relocs \
           rows_write rule_text rules section symbols symbols_answer symtab \
           versions window
FORMATS := bpftrace count dtrace folded_header folded_lines folded_read \
           folded_survey folded_unique folded_write foreign format frame_name \
           goroutines gzip header_value jscan legacy_counts legacy_read \
           legacy_samples lines perf_event_line perf_frame_line perf_script \
           pprof_frames pprof_header pprof_labels pprof_out pprof_prune \
           pprof_read pprof_tables pprof_write protobuf speedscope_file \
           speedscope_read speedscope_stacks speedscope_write stacks \
           svg_difference svg_frames svg_page svg_profile svg_text utf16
TUI     := action bin_list builtin canvas chain change chips clip command \
           flame_chains flame_draw flame_keys flame_map flame_mouse \
           flame_range flame_reveal flame_turn history hit_list hits keymap \
           label layout layout_chain layout_order layout_place library_types \
           list menu offers pace paint pieces prompt row search shares \
           signature status status_hints status_names status_weights style \
           table_draw table_order table_rows tally term term_keys term_modes \
           text theme threads tree_draw tree_open tree_rows tui tui_acts \
           tui_complete tui_draw tui_mouse tui_prompts view_flame view_help \
           view_sandwich view_table view_tree zoom
APP     := bell capture child client client_answers client_modules \
           client_places client_problems cmd_convert cmd_demo cmd_diff \
           cmd_doctor cmd_dump cmd_explain cmd_live cmd_record cmd_report \
           completion config control demo_load diff_json diff_notes \
           diff_order diff_picture diff_text dump_json dump_stacks dump_text \
           editor filters first folder intake jvm labels labels_package \
           labels_parse load manual open open_jit opener options \
           options_check options_values parser patience picker plain \
           plain_commands probes recording recording_describe \
           recording_health report report_head report_json report_sums \
           restore row_store save say screen session session_acts \
           session_commands session_complete session_diff session_edit \
           session_filters session_open session_places session_sandwich \
           session_save session_terminal session_threads session_work signals \
           state supervisor tables tables_wishes targets thread_reader \
           thread_states wire worker
UNIT    := base baseline blocks bpftrace calltree canvas cfi cfi_entry \
           cfi_expression cfi_holes cfi_program client clip command compare \
           compare_noise corpus count demangle diff diff_print drawn dtrace \
           dump explain filters first flame_any flame_bins flame_chains \
           flame_hits flow folded folded_ours folded_refusal folded_unique \
           folded_write folder format go_rows gzip header hit_list hue image \
           inflation intake jitdump jscan kallsyms keymap label labels layout \
           layout_chains layout_property layout_stability legacy lines list \
           many maps merge names offers opener options pace paint pattern \
           pclntab perf_events perf_record perf_ring perf_script perfmap \
           picture picture_property places plain_name pprof pprof_damage \
           pprof_labels pprof_write procstat profile prompt protobuf \
           ptrace_lines ptrace_stop ranges reader recent refusal reports \
           row_store rows rows_write rule_text rules sanitise save search \
           shares signals slots space speedscope spread state status stitch \
           stride strings student supervisor svg svg_difference symbols \
           symbols_files symtab tables tally term_keys text theme threads \
           trail transform tui unwind versions view_flame view_sandwich \
           view_sides view_table view_tree wait waiting walk walk_full wire \
           work
FUZZ    := bpftrace cfi demangle dtrace dwarf elf folded goroutines image \
           jitdump kallsyms keys legacy maps pclntab perf_record perf_script \
           perfmap pprof sanitise speedscope walk wire
TARGETS := altstack barerules bigframe busy children churn clock coldpart \
           copies crowd deep doubling eintr execloop fibers hostile jit jitmap \
           jitreuse junkfiber leadgone lockstep loop moved nested nocfi \
           noreturn opens phases plugin_a.so plugin_b.so plugins pool \
           rawclone refuse relay shares signals turns vforked vforks waits \
           witness

ORACLE  := compare frames record step

# Debian names: to build, and to test.
DEPS    := gcc libc6-dev libncurses-dev libelf-dev libdw-dev libunwind-dev \
           libiberty-dev libpcre2-dev zlib1g-dev liblzma-dev libzstd-dev \
           libjansson-dev
TEST_DEPS := $(DEPS) libcmocka-dev

SCREEN_DEPS := $(DEPS) tmux bash perl-base
FUZZ_DEPS := $(DEPS) clang libclang-rt-14-dev
LIVE_DEPS := $(DEPS) chromium libdevel-nytprof-perl libxml2-utils clang lld \
             mold musl-tools zsh fish
LIVE_NPM  := speedscope@1.25.0 pprof-format@2.3.2
# Programs that tests/live looks at; node, java, rustc only if none is there.
BENCH_DEPS := $(DEPS) openjdk-17-jdk-headless openjdk-17-dbg python3.11 \
              python3.11-dbg binutils gdb
PROGRAMS  := redis-server redis-tools nginx-light wrk postgresql golang-go \
             linux-perf util-linux gdb ocaml-nox

objs     = $(foreach f,$(2),$(BUILD)/$(1)/$(f).o)
LIB     := $(call objs,core,$(CORE)) $(call objs,sampler/unwind,$(UNWIND)) \
           $(call objs,sampler,$(SAMPLER)) $(call objs,symbols,$(SYMBOLS)) \
           $(call objs,formats,$(FORMATS)) $(call objs,tui,$(TUI)) \
           $(call objs,app,$(APP)) $(BUILD)/formats/svg_builtin.o
TESTS   := $(UNIT:%=$(BUILD)/tests/%_test)
HEADERS := $(wildcard $(addsuffix /*.h,core formats symbols sampler \
             sampler/unwind tui app))

all: check-layers flametop

flametop: $(BUILD)/flametop
	$(Q)cp -f $< $@

$(BUILD)/flametop: $(BUILD)/app/main.o $(BUILD)/libflametop.a
	$(call say,LD,$@)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(BUILD)/libflametop.a: $(LIB)
	$(Q)rm -f $@ && ar rcs $@ $^

$(BUILD)/%.o: %.c
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/%.o: $(BUILD)/%.c
	$(call say,CC,$<)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

# Defaults are the shipped files: themes and keys, as the bytes they are.
$(BUILD)/tui/builtin.c: $(sort $(wildcard themes/*.theme)) tui/default.keys \
                        tui/default.noise tui/embed.awk
	$(call say,EMBED,$@)
	@mkdir -p $(@D)
	$(Q)awk -f tui/embed.awk $(filter-out %.awk,$^) > $@

# So are the script and the colours of the SVG files that are written.
$(BUILD)/formats/svg_builtin.c: formats/svg.js formats/svg.css \
                                themes/light.theme themes/dusk.theme \
                                formats/svg_embed.awk
	$(call say,EMBED,$@)
	@mkdir -p $(@D)
	$(Q)awk -f formats/svg_embed.awk $(filter-out %.awk,$^) > $@

# --- tests

$(BUILD)/tests/%_test: $(BUILD)/tests/unit/%_test.o $(BUILD)/libflametop.a
	$(call say,LD,$@)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lcmocka $(LDLIBS)

# Programs that know the stack they have; no sanitizer, so that they are what
# they seem.
$(BUILD)/targets/%: tests/targets/%.c
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) -D_GNU_SOURCE -I. -O2 -g -std=gnu11 -pthread -o $@ $< -ldl

$(BUILD)/targets/%: tests/targets/%.cc
	$(call say,CXX,$<)
	@mkdir -p $(@D)
	$(Q)$(CXX) -O2 -g -pthread -o $@ $<

$(BUILD)/targets/%.so: tests/targets/%.c
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) -D_GNU_SOURCE -I. -O2 -g -std=gnu11 -shared -fPIC -o $@ $<

# One part without the rest of the program, for tests/live.
$(BUILD)/places: $(BUILD)/tests/live/places.o $(BUILD)/libflametop.a
	$(call say,LD,$@)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)
$(BUILD)/sample $(BUILD)/stops: $(BUILD)/%: $(BUILD)/tests/live/%.o \
                                $(BUILD)/tests/oracle/local_rows.o \
                                $(BUILD)/libflametop.a
	$(call say,LD,$@)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

# Stacks held against other unwinders; no part of the program.
oracle   = $(call objs,tests/oracle,$(1)) $(BUILD)/libflametop.a
engines := engine engine_libdw engine_libunwind local_rows samples
$(BUILD)/oracle-record: $(call oracle,record)
$(BUILD)/oracle-compare: $(call oracle,compare audit ways $(engines))
$(BUILD)/oracle-step: $(call oracle,step shadow local_rows)
$(BUILD)/oracle-frames: $(BUILD)/tests/bench/frames.o $(call oracle,$(engines))
$(BUILD)/oracle-%:
	$(call say,LD,$@)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(BUILD)/oracle-compare $(BUILD)/oracle-frames $(BUILD)/cfi-check \
$(BUILD)/cfi-bench $(BUILD)/symbols-bench $(BUILD)/sample: \
        LDLIBS += -ldw -lelf

oracle: $(ORACLE:%=$(BUILD)/oracle-%)

# Our unwind rules beside libdw's: are they equal, and what do they cost?
$(BUILD)/cfi-check: $(BUILD)/tests/oracle/cfi_check.o \
                    $(BUILD)/tests/oracle/value.o
$(BUILD)/cfi-bench: $(BUILD)/tests/bench/cfi_bench.o
$(BUILD)/picture-bench: $(BUILD)/tests/bench/picture_bench.o
$(BUILD)/cfi-check $(BUILD)/cfi-bench $(BUILD)/picture-bench: \
        $(BUILD)/libflametop.a
	$(call say,LD,$@)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(filter %.o,$^) \
	        $(filter %.a,$^) $(LDLIBS)

targets: $(TARGETS:%=$(BUILD)/targets/%)

test: deps-test
	$(Q)$(MAKE) --no-print-directory check unit

unit: $(TESTS)
	$(Q)tests/run-units.sh $(TESTS)

live: flametop targets oracle $(BUILD)/sample $(BUILD)/stops \
      $(BUILD)/cfi-check $(BUILD)/places
	$(Q)tests/run-live.sh $(BUILD)

truth: oracle
	$(Q)sh tests/oracle/run.sh $(BUILD)
	$(Q)sh tests/oracle/stepping.sh $(BUILD)

screens: deps-screens flametop
	$(Q)tests/run-screens.sh $(BUILD)

pictures: flametop
	$(Q)sh tests/screens/pictures.sh $(BUILD)

BENCHES := cfi-bench symbols-bench picture-bench screen-frames screen-calm \
           targets/deepcpp
benches: $(BENCHES:%=$(BUILD)/%)
bench: flametop targets oracle benches
	$(Q)tests/bench/run.sh $(BUILD)

# The part about the screen alone.
bench-screen: $(BUILD)/screen-frames $(BUILD)/screen-calm
	$(Q)sh tests/bench/screen.sh $(BUILD)

# The part about reading folded files.
bench-folded: flametop
	$(Q)sh tests/bench/folded.sh $(BUILD)

$(BUILD)/screen-frames: $(call objs,tests/bench,screen_frames)
$(BUILD)/screen-calm: $(call objs,tests/bench,screen_calm calm)
$(BUILD)/screen-frames $(BUILD)/screen-calm: $(BUILD)/libflametop.a
	$(call say,LD,$@)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(filter %.o,$^) \
	        $(filter %.a,$^) $(LDLIBS)

$(BUILD)/symbols-bench: $(BUILD)/tests/bench/symbols.o \
                        $(BUILD)/libflametop.a
	$(call say,LD,$@)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

# Fuzzers are built by clang into a folder of their own, with all they call.
FUZZ_SECONDS ?= 10
fuzz: deps-fuzz
	$(Q)$(MAKE) --no-print-directory CC=clang BUILD=build-fuzz SAN=1 \
	        CFLAGS='-g1 -fsanitize=fuzzer-no-link' run-fuzz
run-fuzz: $(FUZZ:%=$(BUILD)/tests/%_fuzz)
	$(Q)tests/run-fuzz.sh $(FUZZ_SECONDS) $^

$(BUILD)/tests/%_fuzz: $(BUILD)/tests/fuzz/%_fuzz.o $(BUILD)/libflametop.a
	$(call say,LD,$@)
	$(Q)$(CC) $(CFLAGS) -fsanitize=fuzzer $(LDFLAGS) -o $@ $^ $(LDLIBS)

# --- checks

check: check-layers check-headers check-globals check-symbols check-sizes \
       check-manual check-actions

check-layers:
	$(call say,CHECK,layers)
	$(Q)tests/check-layers.sh

# Each header must compile on its own, whatever came before it.
check-headers: $(HEADERS:%=%.ok)
	$(call say,CHECK,headers)
%.h.ok: %.h
	$(Q)$(CC) $(CPPFLAGS) -std=c11 $(WARN) -fsyntax-only -x c $<

# Mutable state lives in structs that main() owns. Only the terminal may keep
# some of its own: a signal handler takes no argument, and curses has one.
check-globals: $(LIB)
	$(call say,CHECK,globals)
	$(Q)tests/check-globals.sh $(filter-out %/tui/term.o,$(LIB))

# A library would call our function instead of its own of the same name.
check-symbols: $(BUILD)/flametop
	$(call say,CHECK,symbols)
	$(Q)tests/check-symbols.sh $(BUILD)

check-sizes:
	$(Q)tests/check-sizes.sh

check-actions:
	$(call say,CHECK,actions)
	$(Q)tests/check-actions.sh

# The manual is made from the tables of options, commands and keys.
$(BUILD)/manual: $(BUILD)/tests/manual.o $(BUILD)/libflametop.a
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)
check-manual: $(BUILD)/manual
	$(call say,CHECK,manual)
	$(Q)$< man | cmp - docs/flametop.1 && \
	    $< keys README.md | cmp - README.md && \
	    for shell in bash zsh fish; do \
	        $< $$shell | cmp - docs/completion/flametop.$$shell || exit 1; \
	    done || { echo "run: make man"; exit 1; }
man: $(BUILD)/manual
	$(Q)$< man > docs/flametop.1
	$(Q)$< keys README.md > $(BUILD)/README.md
	$(Q)cp $(BUILD)/README.md README.md
	$(Q)for shell in bash zsh fish; do \
	    $< $$shell > docs/completion/flametop.$$shell; done

# --- the rest

demo: deps
	$(Q)$(MAKE) --no-print-directory flametop
	$(Q)./flametop demo

deps:
	$(Q)tests/deps.sh $(DEPS)
deps-test:
	$(Q)tests/deps.sh $(TEST_DEPS)
deps-live:
	$(Q)tests/deps.sh $(LIVE_DEPS)
	$(Q)command -v npm >/dev/null || tests/deps.sh npm
	$(Q)npm install --silent --no-audit --no-fund --prefix $(BUILD)/npm \
	        $(LIVE_NPM)
deps-ci: deps-test deps-screens deps-fuzz deps-live
	$(Q)tests/deps.sh $(PROGRAMS)
	$(Q)command -v python3 >/dev/null || tests/deps.sh python3
	$(Q)command -v node >/dev/null || tests/deps.sh nodejs
	$(Q)command -v javac >/dev/null || tests/deps.sh default-jdk-headless
	$(Q)command -v rustc >/dev/null || tests/deps.sh rustc
bench-deps:
	$(Q)tests/deps.sh $(BENCH_DEPS)
deps-screens:
	$(Q)tests/deps.sh $(SCREEN_DEPS)
deps-fuzz:
	$(Q)tests/deps.sh $(FUZZ_DEPS)

install: flametop
	install -D -m 755 flametop $(DESTDIR)$(PREFIX)/bin/flametop
	install -D -m 644 docs/flametop.1 \
	        $(DESTDIR)$(PREFIX)/share/man/man1/flametop.1
	install -D -m 644 docs/completion/flametop.bash \
	        $(DESTDIR)$(PREFIX)/share/bash-completion/completions/flametop
	install -D -m 644 docs/completion/flametop.zsh \
	        $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_flametop
	install -D -m 644 docs/completion/flametop.fish \
	        $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/flametop.fish

format:
	$(Q)clang-format -i $$(git ls-files '*.[ch]')

clean:
	$(Q)rm -rf build build-* flametop

.PHONY: benches bench-deps bench-folded bench-screen pictures all test \
        unit live \
        truth screens bench oracle check check-layers check-headers \
        check-globals check-symbols check-sizes check-manual check-actions man \
        targets demo \
        deps deps-test deps-live deps-ci deps-screens deps-fuzz fuzz run-fuzz \
        install format clean \
        $(HEADERS:%=%.ok)
.PRECIOUS: $(BUILD)/%.o
-include $(LIB:.o=.d) $(BUILD)/app/main.d $(wildcard $(BUILD)/tests/*/*.d)

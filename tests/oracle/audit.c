/* SPDX-License-Identifier: MIT */
/*
 * audit.c - calls and roots, told from the bytes.
 */
#include "tests/oracle/audit.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>

#define ENTRY_REACH 128		/* bytes of the code at an entry point */
#define LEAVING_REACH 48	/* of the code that leaves for a handler */
#define CLEARED_REACH 64	/* from clearing rbp to the call */

/* mov $15,%eax or %rax; syscall: rt_sigreturn(2). */
static const char return_code[] = "\x48\xc7\xc0\x0f\0\0\0\x0f\x05";
#define RETURN_LEN (sizeof(return_code) - 1)
#define SYSCALL_AT (RETURN_LEN - 2)

/* --- calls */

/* Bytes of FF /2 with MODRM: opcode, ModRM, SIB, displacement. */
static size_t
indirect_length(uint8_t modrm, uint8_t sib)
{
	unsigned mod = modrm >> 6, rm = modrm & 7;
	size_t len = 2 + (mod != 3 && rm == 4);

	if ((modrm >> 3 & 7) != 2)
		return 0;
	if (mod == 1)
		return len + 1;
	if (mod == 2 || (mod == 0 && (rm == 5 || (rm == 4 &&
						  (sib & 7) == 5))))
		return len + 4;
	return len;
}

bool
audit_is_after_call(struct sample_memory *memory, uint64_t addr)
{
	uint8_t code[8] = { 0 };
	size_t len;

	if (!samples_read(memory, addr - 7, code, 7) &&
	    !samples_read(memory, addr - 2, code + 5, 2))
		return false;
	if (code[2] == 0xe8)
		return true;
	for (len = 2; len <= 7; len++)
		if (code[7 - len] == 0xff &&
		    indirect_length(code[8 - len], code[9 - len]) == len)
			return true;
	return false;
}

static bool
is_signal_return(struct sample_memory *memory, uint64_t pc)
{
	char code[sizeof(return_code) - 1];

	return samples_read(memory, pc, code, sizeof(code)) &&
	       !memcmp(code, return_code, sizeof(code));
}

/*
 * Does code at PC leave for the handler of an exception? It loads registers
 * and then does this; nothing has called where it goes.
 */
static bool
leaves_for_handler(struct sample_memory *memory, uint64_t pc)
{
	static const char jump[] = "\x48\x89\xcc"	/* mov %rcx,%rsp */
				   "\x59\xff\xe1";	/* pop %rcx; jmp *%rcx */
	char code[LEAVING_REACH + sizeof(jump)];

	return samples_read(memory, pc - 4, code, sizeof(code)) &&
	       memmem(code, sizeof(code), jump, sizeof(jump) - 1);
}

/* --- symbols */

static const struct mapping *
mapping_of(const struct sample_memory *memory, uint64_t pc)
{
	return maps_find(memory->raw->process->maps, pc);
}

/* The function in TABLE that has link-time address VADDR, or NULL. */
static const char *
find_in_table(const struct sample_file *file, const Elf64_Shdr *sections,
	      const Elf64_Shdr *table, uint64_t vaddr)
{
	const Elf64_Sym *symbols = (const void *)(file->bytes +
						  table->sh_offset);
	const Elf64_Shdr *strings = &sections[table->sh_link];
	size_t i, count = table->sh_size / sizeof(*symbols);

	for (i = 0; i < count; i++)
		if (ELF64_ST_TYPE(symbols[i].st_info) == STT_FUNC &&
		    vaddr - symbols[i].st_value <
			    symbols[i].st_size + !symbols[i].st_size)
			return (const char *)file->bytes +
			       strings->sh_offset + symbols[i].st_name;
	return NULL;
}

/* Files of a test's own machine are trusted to be what they say. */
static const char *
find_symbol(struct sample_memory *memory, uint64_t pc)
{
	const struct mapping *mapping = mapping_of(memory, pc);
	const struct sample_file *file;
	const Elf64_Ehdr *elf;
	const Elf64_Shdr *sections;
	const char *name = NULL;
	uint64_t bias;
	unsigned i;

	if (!mapping)
		return NULL;
	file = samples_file(memory->samples, mapping);
	if (!engine_bias(file, mapping, &bias))
		return NULL;
	elf = (const void *)file->bytes;
	if (elf->e_shoff + (uint64_t)elf->e_shnum * sizeof(*sections) >
	    file->len)
		return NULL;
	sections = (const void *)(file->bytes + elf->e_shoff);
	for (i = 0; i < elf->e_shnum && !name; i++)
		if (sections[i].sh_type == SHT_SYMTAB ||
		    sections[i].sh_type == SHT_DYNSYM)
			name = find_in_table(file, sections, &sections[i],
					     pc - bias);
	return name;
}

const char *
audit_where(struct sample_memory *memory, uint64_t pc, char *buf, size_t size)
{
	const struct mapping *mapping = mapping_of(memory, pc);
	const char *name = find_symbol(memory, pc), *slash;

	if (!mapping) {
		snprintf(buf, size, "nowhere:%#llx", (unsigned long long)pc);
		return buf;
	}
	slash = strrchr(mapping->path, '/');
	snprintf(buf, size, "%s+%#llx %s",
		 slash ? slash + 1 : mapping->path,
		 (unsigned long long)(pc - mapping->start +
				      mapping->file_offset),
		 name ? name : "");
	return buf;
}

/* --- roots */

static bool
is_entry(struct sample_memory *memory, uint64_t pc)
{
	const struct mapping *mapping = mapping_of(memory, pc);
	const struct sample_file *file;
	const Elf64_Ehdr *elf;
	uint64_t bias;

	if (!mapping)
		return false;
	file = samples_file(memory->samples, mapping);
	if (!engine_bias(file, mapping, &bias))
		return false;
	elf = (const void *)file->bytes;
	return pc - (bias + elf->e_entry) < ENTRY_REACH;
}

/* Has the code before PC cleared rbp: xor %ebp,%ebp or %rbp,%rbp? */
static bool
has_cleared_rbp(struct sample_memory *memory, uint64_t pc)
{
	uint8_t code[CLEARED_REACH];
	size_t i;

	if (!samples_read(memory, pc - sizeof(code), code, sizeof(code)))
		return false;
	for (i = 0; i + 1 < sizeof(code); i++)
		if (code[i] == 0x31 && code[i + 1] == 0xed)
			return true;
	return false;
}

static bool
is_first_function(struct sample_memory *memory, uint64_t pc)
{
	static const char *const names[] = {
		"_start", "__clone", "clone", "__clone3", "clone3",
		"runtime.goexit", "runtime.rt0_go", "runtime.mstart",
		"_rt0_amd64_linux", "runtime.clone",
		/* What its runtime calls the top of a thread's own stack
		   (topofstack() of src/runtime/traceback.go): the goroutine
		   that came here runs no more, or is made to move. */
		"runtime.mcall", "runtime.morestack",
		/* And what takes it up again, the last of it on its stack. */
		"gogo",
	};
	const char *name = find_symbol(memory, pc);
	size_t i;

	for (i = 0; name && i < ARRAY_LEN(names); i++)
		if (!strncmp(name, names[i], strlen(names[i])) &&
		    (!name[strlen(names[i])] || name[strlen(names[i])] == '.'))
			return true;
	return false;
}

/* Go's handler of a signal makes what it interrupted seem to call this. */
static bool
is_preemption(struct sample_memory *memory, uint64_t pc)
{
	const char *name = find_symbol(memory, pc);
	size_t len = strlen("runtime.asyncPreempt");

	return name && !strncmp(name, "runtime.asyncPreempt", len) &&
	       (!name[len] || name[len] == '.');
}

/*
 * A JIT's interpreter pushes where it wants to be returned to, so no call need
 * be there. Its frames are between others that are looked at.
 */
static bool
is_jit(struct sample_memory *memory, uint64_t pc)
{
	const struct mapping *mapping = mapping_of(memory, pc);

	return mapping && mapping->kind == MODULE_JIT;
}

struct audit
audit_chain(struct sample_memory *memory, const struct chain *chain)
{
	struct audit audit = { 0 };
	bool is_interrupted = true;	/* as the leaf is */
	size_t i;

	if (chain->n) {
		uint64_t root = chain->pcs[chain->n - 1];

		audit.is_first = is_first_function(memory, root);
		audit.has_root = audit.is_first || is_entry(memory, root) ||
				 (has_cleared_rbp(memory, root) &&
				  (chain->n > 1 ||
				   !memory->raw->regs.r[X86_RBP]));
	}
	for (i = 0; i < chain->n; i++) {
		uint64_t pc = chain->pcs[i];
		bool ends_handler =
			is_signal_return(memory, pc) ||
			is_signal_return(memory, pc + 1) ||
			(!i && (is_signal_return(memory, pc - RETURN_LEN) ||
				is_signal_return(memory, pc - SYSCALL_AT)));

		if (!is_interrupted && !ends_handler && !is_jit(memory, pc) &&
		    !(audit.is_first && i == chain->n - 1) &&
		    !(i == 1 && leaves_for_handler(memory, chain->pcs[0]))) {
			audit.checked++;
			if (!audit_is_after_call(memory, pc + 1) &&
			    !audit.violations++)
				audit.first = i;
		}
		is_interrupted = ends_handler || is_preemption(memory, pc);
	}
	return audit;
}

/* SPDX-License-Identifier: MIT */
/*
 * calls.c - system calls that wait.
 */
#include "sampler/calls.h"

#include <stddef.h>
#include <sys/syscall.h>

#include "core/base.h"

/* Not in every libc's headers yet. */
#ifndef SYS_epoll_pwait2
#define SYS_epoll_pwait2 441
#endif
#ifndef SYS_futex_waitv
#define SYS_futex_waitv 449
#endif

#define CALL(name, shape) { SYS_##name, #name, shape, LIMIT_NONE, 0 }
#define TIMED(name, shape, limit, at) \
	{ SYS_##name, #name, shape, limit, at }

static const struct call calls[] = {
#ifdef __x86_64__
	TIMED(poll, CALL_POLL, LIMIT_MS, 2),
	TIMED(select, CALL_SELECT, LIMIT_TIMEVAL, 4),
	TIMED(epoll_wait, CALL_EPOLL, LIMIT_MS, 3),
	CALL(pause, CALL_PLAIN),
	CALL(open, CALL_PLAIN),
	CALL(creat, CALL_PLAIN),
	CALL(vfork, CALL_PLAIN),
	CALL(fork, CALL_PLAIN),
	CALL(stat, CALL_PLAIN),
	CALL(lstat, CALL_PLAIN),
	CALL(rename, CALL_PLAIN),
	CALL(unlink, CALL_PLAIN),
	CALL(mkdir, CALL_PLAIN),
	CALL(rmdir, CALL_PLAIN),
	CALL(getdents, CALL_FD),
	CALL(access, CALL_PLAIN),
	CALL(readlink, CALL_PLAIN),
#endif
	TIMED(ppoll, CALL_POLL, LIMIT_TIMESPEC, 2),
	TIMED(pselect6, CALL_SELECT, LIMIT_TIMESPEC, 4),
	TIMED(epoll_pwait, CALL_EPOLL, LIMIT_MS, 3),
	TIMED(epoll_pwait2, CALL_EPOLL, LIMIT_TIMESPEC, 3),
	TIMED(futex, CALL_FUTEX, LIMIT_TIMESPEC, 3),
	CALL(futex_waitv, CALL_PLAIN),
	TIMED(nanosleep, CALL_SLEEP, LIMIT_TIMESPEC, 0),
	TIMED(clock_nanosleep, CALL_SLEEP, LIMIT_TIMESPEC, 2),
	CALL(wait4, CALL_WAIT4),
	CALL(waitid, CALL_WAITID),
	TIMED(rt_sigtimedwait, CALL_PLAIN, LIMIT_TIMESPEC, 2),
	CALL(rt_sigsuspend, CALL_PLAIN),
	CALL(restart_syscall, CALL_PLAIN),
	CALL(read, CALL_FD),
	CALL(write, CALL_FD),
	CALL(pread64, CALL_FD),
	CALL(pwrite64, CALL_FD),
	CALL(readv, CALL_FD),
	CALL(writev, CALL_FD),
	CALL(preadv, CALL_FD),
	CALL(pwritev, CALL_FD),
	CALL(preadv2, CALL_FD),
	CALL(pwritev2, CALL_FD),
	CALL(getdents64, CALL_FD),
	CALL(ioctl, CALL_FD),
	CALL(fcntl, CALL_FD),
	CALL(flock, CALL_FD),
	CALL(fsync, CALL_FD),
	CALL(fdatasync, CALL_FD),
	CALL(sync_file_range, CALL_FD),
	CALL(sync, CALL_PLAIN),
	CALL(syncfs, CALL_FD),
	CALL(ftruncate, CALL_FD),
	CALL(fallocate, CALL_FD),
	CALL(close, CALL_FD),
	CALL(fstat, CALL_FD),
	CALL(accept, CALL_FD),
	CALL(accept4, CALL_FD),
	CALL(connect, CALL_FD),
	CALL(recvfrom, CALL_FD),
	CALL(recvmsg, CALL_FD),
	TIMED(recvmmsg, CALL_FD, LIMIT_TIMESPEC, 4),
	CALL(sendto, CALL_FD),
	CALL(sendmsg, CALL_FD),
	CALL(sendmmsg, CALL_FD),
	CALL(shutdown, CALL_FD),
	CALL(splice, CALL_FD),
	CALL(tee, CALL_FD),
	CALL(vmsplice, CALL_FD),
	CALL(sendfile, CALL_FD),
	CALL(copy_file_range, CALL_FD),
	CALL(io_uring_enter, CALL_FD),
	TIMED(io_getevents, CALL_PLAIN, LIMIT_TIMESPEC, 4),
	CALL(io_submit, CALL_PLAIN),
	CALL(semop, CALL_PLAIN),
	TIMED(semtimedop, CALL_PLAIN, LIMIT_TIMESPEC, 3),
	CALL(msgrcv, CALL_PLAIN),
	CALL(msgsnd, CALL_PLAIN),
	CALL(mq_timedreceive, CALL_FD),
	CALL(mq_timedsend, CALL_FD),
	CALL(openat, CALL_PLAIN),
	CALL(newfstatat, CALL_PLAIN),
	CALL(statx, CALL_PLAIN),
	CALL(unlinkat, CALL_PLAIN),
	CALL(renameat2, CALL_PLAIN),
	CALL(mkdirat, CALL_PLAIN),
	CALL(readlinkat, CALL_PLAIN),
	CALL(faccessat, CALL_PLAIN),
	CALL(execve, CALL_PLAIN),
	CALL(clone, CALL_PLAIN),
	CALL(clone3, CALL_PLAIN),
	CALL(exit, CALL_PLAIN),
	CALL(exit_group, CALL_PLAIN),
	CALL(mmap, CALL_PLAIN),
	CALL(munmap, CALL_PLAIN),
	CALL(mprotect, CALL_PLAIN),
	CALL(mremap, CALL_PLAIN),
	CALL(brk, CALL_PLAIN),
	CALL(madvise, CALL_PLAIN),
	CALL(msync, CALL_PLAIN),
	CALL(membarrier, CALL_PLAIN),
	CALL(sched_yield, CALL_PLAIN),
	CALL(getrandom, CALL_PLAIN),
	CALL(ptrace, CALL_PLAIN),
	CALL(mount, CALL_PLAIN),
	CALL(umount2, CALL_PLAIN),
};

const struct call *
call_find(long number)
{
	for (size_t i = 0; i < ARRAY_LEN(calls); i++)
		if (calls[i].number == number)
			return &calls[i];
	return NULL;
}

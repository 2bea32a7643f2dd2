/* SPDX-License-Identifier: MIT */
/*
 * perf_events.c - events and their rings.
 */
#include "sampler/perf_events.h"

#include <errno.h>
#include <limits.h>
#include <linux/capability.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sampler/perf_attr.h"
#include "sampler/refusal.h"

#define RING_LOCKED (4u << 20)	/* with CAP_IPC_LOCK */
#define RINGS_LOCKED (128u << 20)	/* all of them together */
#define RING_SMALLEST (64u << 10)
#define FILES_LEFT 32	/* descriptors for maps, symbol files, saving */
#define FIRST_LEAST_NS 500000
#define NS_PER_S 1000000000u

/* --- chance */

/* Even over [0, N); xorshift64*, Vigna 2016. */
static uint64_t
draw(struct perf_events *events, uint64_t n)
{
	uint64_t x = events->random;

	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	events->random = x;
	return n ? (x * 0x2545f4914f6cdd1du >> 16) % n : 0;
}

/*
 * Between half and one and a half of the mean. As wide as the mean itself: a
 * program with any period down to that loses step in a single sample.
 */
static uint64_t
draw_period(struct perf_events *events)
{
	return events->period / 2 + draw(events, events->period);
}

/*
 * The way to the first sample: whoever looks in finds the next one anywhere
 * in a period. With a whole one, a pool of threads that had little CPU each
 * would stay unseen for long. Threads that are made meanwhile inherit it, so
 * it must not be too short to live with.
 */
static uint64_t
draw_first(struct perf_events *events)
{
	uint64_t least = events->period / 16, first;

	if (least < FIRST_LEAST_NS)
		least = FIRST_LEAST_NS < events->period / 2 ?
			FIRST_LEAST_NS : events->period / 2;
	first = draw(events, events->period);
	return first > least ? first : least;
}

uint64_t
perf_events_weigh(struct perf_events *events, uint64_t period)
{
	if (events->attr.freq)
		return 1;
	return (period + draw(events, events->period)) / events->period;
}

/* --- rights and limits */

static bool
may_lock(void)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct data[2] = { { 0 } };

	return syscall(SYS_capget, &header, data) == 0 &&
	       data[0].effective & (1u << CAP_IPC_LOCK);
}

/* As many descriptors as there may be; returns the highest for events. */
static int
raise_descriptor_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return INT_MAX;
	if (limit.rlim_cur < limit.rlim_max) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
	return limit.rlim_cur < INT_MAX ? (int)limit.rlim_cur - FILES_LEFT :
					  INT_MAX;
}

/* What one CPU's ring may have, rounded down to a power of two. */
static size_t
ring_size(size_t cpus)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t most, size = RING_SMALLEST;

	if (may_lock())
		most = RINGS_LOCKED / cpus < RING_LOCKED ?
			RINGS_LOCKED / cpus : RING_LOCKED;
	else
		most = (size_t)perf_sysctl("mlock_kb", 516) * 1024 - page;
	while (size * 2 <= most && size < RING_LOCKED)
		size *= 2;
	return size;
}

/* --- rings */

/* A dummy event on this thread: it counts nothing, and owns the ring. */
static int
open_dummy(const struct perf_events *events, int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = events->attr.size,
		.config = PERF_COUNT_SW_DUMMY,
		.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			       PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID,
		.sample_id_all = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.use_clockid = events->attr.use_clockid,
		.clockid = events->attr.clockid,
		.watermark = events->attr.watermark,
		.wakeup_events = events->attr.wakeup_events,
	};

	return perf_attr_open(&attr, 0, cpu, -1);
}

static bool
open_ring(struct perf_events *events, int cpu, size_t *size, struct error *err)
{
	struct perf_ring *ring = &events->rings[events->nrings];
	int fd = open_dummy(events, cpu);

	if (fd < 0) {
		/* A CPU that is switched off. */
		if (errno == ENODEV)
			return true;
		return fail(err, errno, "cannot open the ring of CPU %d", cpu);
	}
	while (!perf_ring_open(ring, fd, cpu, *size, err)) {
		if ((err->errnum != EPERM && err->errnum != ENOMEM) ||
		    *size <= RING_SMALLEST / 2) {
			close(fd);
			return false;
		}
		*size /= 2;
		events->has_small_rings = true;
	}
	events->nrings++;
	return true;
}

static bool
open_rings(struct perf_events *events, struct error *err)
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF);
	size_t size = ring_size(cpus > 0 ? (size_t)cpus : 1);
	int cpu;

	events->rings = xcalloc((size_t)cpus, sizeof(*events->rings));
	for (cpu = 0; cpu < cpus; cpu++)
		if (!open_ring(events, cpu, &size, err))
			return false;
	return events->nrings > 0 || fail(err, 0, "no CPU has a perf ring");
}

/* --- life */

/* Lower the wish until an event opens on TID. */
static bool
probe(struct perf_events *events, pid_t tid, struct error *err)
{
	struct perf_event_attr *attr = &events->attr;
	int fd;

	while ((fd = perf_attr_open(attr, tid, -1, -1)) < 0) {
		int errnum = errno;

		if (!perf_attr_lower(attr, errnum))
			return refusal_by_perf(tid, errnum, err);
	}
	close(fd);
	return true;
}

bool
perf_events_init(struct perf_events *events, const struct perf_wish *wish,
		 pid_t tid, struct error *err)
{
	*events = (struct perf_events){ .period = NS_PER_S / wish->hz };
	if (getrandom(&events->random, sizeof(events->random), 0) < 0 ||
	    events->random == 0)
		events->random = 0x9e3779b97f4a7c15u;
	perf_attr_wish(&events->attr, wish);
	events->most_fd = raise_descriptor_limit();
	return probe(events, tid, err) && open_rings(events, err);
}

void
perf_events_fini(struct perf_events *events)
{
	size_t i;

	for (i = 0; i < events->count; i++)
		close(events->events[i].fd);
	for (i = 0; i < events->nrings; i++)
		perf_ring_close(&events->rings[i]);
	free(events->events);
	free(events->rings);
	*events = (struct perf_events){ 0 };
}

static void
set_period(struct perf_events *events, struct perf_event *event,
	   uint64_t period)
{
	event->period = period;
	if (events->attr.freq)
		events->attr.sample_freq = NS_PER_S / period;
	else
		events->attr.sample_period = period;
}

static bool
open_one(struct perf_events *events, pid_t tid, const struct perf_ring *ring)
{
	struct perf_event event = { .owner = events->owners,
				    .is_fresh = true,
				    .is_first = !events->attr.freq };

	events->events = grow(events->events, events->count, &events->capacity,
			      sizeof(event));
	set_period(events, &event, event.is_first ? draw_first(events) :
						    draw_period(events));
	event.fd = perf_attr_open(&events->attr, tid, ring->cpu, ring->fd);
	if (event.fd < 0)
		return false;
	if (event.fd > events->most_fd) {
		close(event.fd);
		errno = EMFILE;
		return false;
	}
	if (ioctl(event.fd, PERF_EVENT_IOC_ID, &event.id) != 0) {
		close(event.fd);
		return false;
	}
	/* The kernel counts ids up, so the list stays sorted. */
	events->events[events->count++] = event;
	return true;
}

uint32_t
perf_events_open(struct perf_events *events, pid_t tid)
{
	size_t i, opened = 0;

	events->owners++;
	for (i = 0; i < events->nrings; i++) {
		if (open_one(events, tid, &events->rings[i])) {
			opened++;
			continue;
		}
		if (errno == ENODEV)
			continue;
		/* On some CPUs alone it would be counted too low. */
		if (errno == EMFILE || errno == ENFILE) {
			events->is_full = true;
			perf_events_close(events, events->owners);
			opened = 0;
		}
		break;
	}
	return opened ? events->owners : 0;
}

void
perf_events_close(struct perf_events *events, uint32_t owner)
{
	size_t i, kept = 0;

	for (i = 0; i < events->count; i++) {
		if (events->events[i].owner == owner)
			close(events->events[i].fd);
		else
			events->events[kept++] = events->events[i];
	}
	events->count = kept;
}

static int
by_id(const void *key, const void *element)
{
	const uint64_t *id = key;
	const struct perf_event *event = element;

	return (*id > event->id) - (*id < event->id);
}

struct perf_event *
perf_events_find(struct perf_events *events, uint64_t id)
{
	if (!events->count)
		return NULL;
	return bsearch(&id, events->events, events->count,
		       sizeof(*events->events), by_id);
}

/* The first sample has come: from now on periods are of the usual length. */
static void
end_first(struct perf_events *events, struct perf_event *event,
	  uint64_t now_ns)
{
	uint64_t period = draw_period(events);

	event->is_first = event->is_fresh = false;
	if (ioctl(event->fd, PERF_EVENT_IOC_PERIOD, &period) != 0)
		return;
	event->first_period = event->period;
	event->first_end_ns = now_ns;
	event->period = period;
	event->is_fresh = true;
}

uint64_t
perf_events_fired(struct perf_events *events, struct perf_event *event,
		  uint64_t fired_ns, uint64_t now_ns)
{
	uint64_t weight = event->is_fresh ?
		1 : perf_events_weigh(events, event->period);
	uint64_t gone = now_ns > fired_ns ? now_ns - fired_ns : 0;
	uint64_t period, value;

	if (event->is_first) {
		end_first(events, event, now_ns);
		return 1;
	}
	if (fired_ns < event->first_end_ns)
		return perf_events_weigh(events, event->first_period);
	event->is_fresh = events->attr.freq;
	if (events->count > PERF_MOST_DRAWN || gone > events->period / 4)
		return weight;
	period = draw_period(events);
	if (!events->attr.freq)
		period -= gone;
	value = events->attr.freq ? NS_PER_S / period : period;
	if (ioctl(event->fd, PERF_EVENT_IOC_PERIOD, &value) == 0) {
		event->period = period;
		event->is_fresh = true;
	}
	return weight;
}

const char *
perf_events_name(const struct perf_events *events)
{
	return events->attr.freq ? "cycles" : "cpu-clock";
}

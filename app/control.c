/* SPDX-License-Identifier: MIT */
/*
 * control.c - messages between supervisor and app.
 */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "app/supervisor.h"

bool
control_send(int sock, const struct control *message, int fd)
{
	union {
		char bytes[CMSG_SPACE(sizeof(int))];
		struct cmsghdr header;
	} room = { { 0 } };
	struct iovec part = { (void *)message, sizeof(*message) };
	struct msghdr header = { .msg_iov = &part, .msg_iovlen = 1 };

	if (fd >= 0) {
		header.msg_control = room.bytes;
		header.msg_controllen = sizeof(room.bytes);
		room.header.cmsg_level = SOL_SOCKET;
		room.header.cmsg_type = SCM_RIGHTS;
		room.header.cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(&room.header), &fd, sizeof(int));
	}
	return sendmsg(sock, &header, MSG_NOSIGNAL | MSG_DONTWAIT) ==
	       (ssize_t)sizeof(*message);
}

bool
control_receive(int sock, struct control *message, int *fd, bool *has_gone)
{
	union {
		char bytes[CMSG_SPACE(sizeof(int))];
		struct cmsghdr header;
	} room;
	struct iovec part = { message, sizeof(*message) };
	struct msghdr header = {
		.msg_iov = &part, .msg_iovlen = 1,
		.msg_control = room.bytes, .msg_controllen = sizeof(room),
	};
	ssize_t got = recvmsg(sock, &header, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	struct cmsghdr *rights;

	*fd = -1;
	*has_gone = got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR);
	if (got != (ssize_t)sizeof(*message))
		return false;
	rights = CMSG_FIRSTHDR(&header);
	if (rights && rights->cmsg_type == SCM_RIGHTS)
		memcpy(fd, CMSG_DATA(rights), sizeof(int));
	return true;
}

/*
 * Answers faster than any generator on Node sends: one thread, epoll, a fixed answer for each request end in the byte
 * stream.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#define MOST_FDS 65536
#define MOST_AT_ONCE 256
static const char ANSWER[] =
	"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 11\r\n\r\n{\"ok\":true}";
static const char END[] = "\r\n\r\n";
/* Length of the prefix of END at the end of each connection's bytes. */
static unsigned char matched[MOST_FDS];

static int count_requests(int fd, const char *bytes, ssize_t length) {
	int requests = 0;
	for (ssize_t at = 0; at < length; at++) {
		matched[fd] = bytes[at] == END[matched[fd]] ? matched[fd] + 1 : bytes[at] == '\r';
		if (matched[fd] == 4) {
			matched[fd] = 0;
			requests++;
		}
	}
	return requests;
}

int main(void) {
	static char answers[MOST_AT_ONCE * (sizeof ANSWER - 1)];
	for (int at = 0; at < MOST_AT_ONCE; at++) memcpy(answers + at * (sizeof ANSWER - 1), ANSWER, sizeof ANSWER - 1);
	const int one = 1;
	const int listener = socket(AF_INET, SOCK_STREAM, 0);
	setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(atoi(getenv("PORT")))};
	inet_pton(AF_INET, getenv("HOST"), &address.sin_addr);
	if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 512) != 0) return 1;
	const int poll = epoll_create1(0);
	struct epoll_event event = {.events = EPOLLIN, .data.fd = listener};
	epoll_ctl(poll, EPOLL_CTL_ADD, listener, &event);
	for (;;) {
		struct epoll_event events[256];
		const int ready = epoll_wait(poll, events, 256, -1);
		for (int at = 0; at < ready; at++) {
			const int fd = events[at].data.fd;
			if (fd == listener) {
				const int client = accept(listener, NULL, NULL);
				if (client < 0 || client >= MOST_FDS) continue;
				setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
				matched[client] = 0;
				event.data.fd = client;
				epoll_ctl(poll, EPOLL_CTL_ADD, client, &event);
				continue;
			}
			char bytes[16384];
			const ssize_t length = read(fd, bytes, sizeof bytes);
			const int requests = length > 0 ? count_requests(fd, bytes, length) : 0;
			const size_t size = (size_t)requests * (sizeof ANSWER - 1);
			if (length <= 0 || requests > MOST_AT_ONCE || write(fd, answers, size) != (ssize_t)size) close(fd);
		}
	}
}

#include "process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

extern char **environ;

namespace metalsim {
namespace {

// A process like this one may ignore SIGPIPE or block signals; the child starts
// with neither.
pid_t start(const std::vector<std::string> &args, int in, int out, int err) {
	posix_spawn_file_actions_t actions;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, in, 0);
	posix_spawn_file_actions_adddup2(&actions, out, 1);
	posix_spawn_file_actions_adddup2(&actions, err, 2);
	posix_spawnattr_t attr;
	posix_spawnattr_init(&attr);
	sigset_t none, all;
	sigemptyset(&none);
	sigfillset(&all);
	posix_spawnattr_setsigmask(&attr, &none);
	posix_spawnattr_setsigdefault(&attr, &all);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	std::vector<char *> argv;
	for (const std::string &a : args) {
		argv.push_back(const_cast<char *>(a.c_str()));
	}
	argv.push_back(nullptr);
	pid_t pid = -1;
	if (posix_spawnp(&pid, argv[0], &actions, &attr, argv.data(), environ) != 0) {
		pid = -1;
	}
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attr);
	return pid;
}

// drain reads what there is, and reports whether more may come.
bool drain(int fd, std::string *to) {
	char buf[1 << 16];
	const ssize_t n = read(fd, buf, sizeof buf);
	if (n > 0) {
		to->append(buf, n);
	}
	return n > 0 || (n < 0 && (errno == EINTR || errno == EAGAIN));
}

// talk feeds the input and collects both outputs, whichever is ready.
void talk(int in, const std::string &input, int out, int err, Output *o) {
	size_t sent = 0;
	bool more[2] = {true, true};
	fcntl(in, F_SETFL, O_NONBLOCK);
	while (in >= 0 || more[0] || more[1]) {
		pollfd fds[3] = {{in, POLLOUT, 0}, {more[0] ? out : -1, POLLIN, 0}, {more[1] ? err : -1, POLLIN, 0}};
		if (poll(fds, 3, -1) < 0) {
			continue;
		}
		if (in >= 0 && fds[0].revents != 0) {
			const ssize_t n = sent < input.size() ? write(in, input.data() + sent, input.size() - sent) : -1;
			sent += n > 0 ? n : 0;
			if (sent == input.size() || (n < 0 && errno != EAGAIN && errno != EINTR)) {
				close(in);
				in = -1;
			}
		}
		more[0] = more[0] && (fds[1].revents == 0 || drain(out, &o->out));
		more[1] = more[1] && (fds[2].revents == 0 || drain(err, &o->err));
	}
}

} // namespace

Output runProcess(const std::vector<std::string> &args, const std::string &input) {
	Output o = {-1, "", ""};
	int pipes[3][2];
	for (int i = 0; i < 3; i++) {
		if (pipe2(pipes[i], O_CLOEXEC) != 0) {
			while (i-- > 0) {
				close(pipes[i][0]);
				close(pipes[i][1]);
			}
			return o;
		}
	}
	// A program that does not read its input must not end this one: writing to a
	// closed pipe is to be an error.
	sigset_t pipeSignal, before;
	sigemptyset(&pipeSignal);
	sigaddset(&pipeSignal, SIGPIPE);
	pthread_sigmask(SIG_BLOCK, &pipeSignal, &before);
	const pid_t pid = start(args, pipes[0][0], pipes[1][1], pipes[2][1]);
	close(pipes[0][0]);
	close(pipes[1][1]);
	close(pipes[2][1]);
	talk(pipes[0][1], input, pipes[1][0], pipes[2][0], &o);
	close(pipes[1][0]);
	close(pipes[2][0]);
	int status;
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR) {
	}
	if (pid > 0 && WIFEXITED(status)) {
		o.status = WEXITSTATUS(status);
	}
	const timespec now = {0, 0};
	while (sigtimedwait(&pipeSignal, nullptr, &now) > 0) {
	}
	pthread_sigmask(SIG_SETMASK, &before, nullptr);
	return o;
}

} // namespace metalsim

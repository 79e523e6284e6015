// Starts child processes.
//
// The child borrows the parent's memory until it executes the program (`vfork`): in a large process, copying the page
// tables would take milliseconds. Meanwhile, the thread that starts it waits. The other threads continue, and may hold
// any lock, such as the allocator's. So the parent prepares everything; the child only makes system calls, and writes
// only to its own variables and errno. It reports errors through a pipe that a successful exec closes.

#define _GNU_SOURCE
#include "CProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct {
    cprocess_step step;
    int error;
} failure;

static void fail(int report, cprocess_step step) {
    failure what = {step, errno};
    ssize_t written = write(report, &what, sizeof what);
    (void)written;
    _exit(127);
}

static void close_from(int first, rlim_t open_files) {
#ifdef SYS_close_range
    if (syscall(SYS_close_range, (unsigned)first, ~0U, 0) == 0) return;
#endif
    for (int descriptor = first; (rlim_t)descriptor < open_files; descriptor++) close(descriptor);
}

static bool is_given(const cprocess_request *request, int number) {
    for (size_t i = 0; i < request->descriptor_count; i++) {
        if (request->descriptors[i].to == number) return true;
    }
    return false;
}

// Keeps only the given descriptors and, directly above the highest of them, the report pipe. Returns the pipe's new
// number.
static int arrange_descriptors(const cprocess_request *request, int report, rlim_t open_files) {
    int above = 3;
    for (size_t i = 0; i < request->descriptor_count; i++) {
        if (request->descriptors[i].to >= above) above = request->descriptors[i].to + 1;
    }
    // Moves all descriptors out of the way first, so that no dup2 overwrites a descriptor that is still needed.
    report = fcntl(report, F_DUPFD_CLOEXEC, above);
    if (report < 0) _exit(127);
    int moved[CPROCESS_MAX_DESCRIPTORS];
    for (size_t i = 0; i < request->descriptor_count; i++) {
        moved[i] = fcntl(request->descriptors[i].from, F_DUPFD_CLOEXEC, above);
        if (moved[i] < 0) fail(report, CPROCESS_DESCRIPTORS);
    }
    for (size_t i = 0; i < request->descriptor_count; i++) {
        if (dup2(moved[i], request->descriptors[i].to) < 0) fail(report, CPROCESS_DESCRIPTORS);
    }
    if (report != above) {
        if (dup3(report, above, O_CLOEXEC) < 0) fail(report, CPROCESS_DESCRIPTORS);
        report = above;
    }
    for (int number = 0; number < above; number++) {
        if (!is_given(request, number)) close(number);
    }
    close_from(above + 1, open_files);
    return report;
}

static void restore_signals(void) {
    for (int number = 1; number < NSIG; number++) {
        struct sigaction standard = {.sa_handler = SIG_DFL};
        sigaction(number, &standard, NULL); // fails for SIGKILL, SIGSTOP and glibc's own, as intended
    }
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

static void become(const cprocess_request *request, int report, pid_t parent, char *const *environment,
                   rlim_t open_files) {
    report = arrange_descriptors(request, report, open_files);
    if (request->own_group) setpgid(0, 0);
    if (request->dies_with_parent) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) _exit(127); // the parent died before prctl
    }
    if (request->folder && chdir(request->folder) < 0) fail(report, CPROCESS_FOLDER);
    // Last: signals stay blocked until here. The parent's handlers must never run in the child, because the child uses
    // the parent's memory. The child has its own table of handlers.
    restore_signals();
    execve(request->path, request->arguments, environment);
    fail(report, CPROCESS_EXECUTE);
}

static cprocess_result failed(cprocess_step step, int error) {
    return (cprocess_result){.step = step, .error = error, .pid = -1, .handle = -1};
}

static void reap(pid_t pid) {
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {}
}

cprocess_result cprocess_start(const cprocess_request *request) {
    if (request->descriptor_count > CPROCESS_MAX_DESCRIPTORS) return failed(CPROCESS_DESCRIPTORS, E2BIG);
    struct rlimit open_files = {.rlim_cur = 1024};
    getrlimit(RLIMIT_NOFILE, &open_files);
    char *const *environment = request->environment ? request->environment : environ;
    pid_t parent = getpid();

    int report[2];
    if (pipe2(report, O_CLOEXEC) < 0) return failed(CPROCESS_FORK, errno);
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t pid = vfork();
    if (pid == 0) become(request, report[1], parent, environment, open_files.rlim_cur);
    int fork_error = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close(report[1]);
    if (pid < 0) {
        close(report[0]);
        return failed(CPROCESS_FORK, fork_error);
    }

    failure what;
    ssize_t count;
    do count = read(report[0], &what, sizeof what); while (count < 0 && errno == EINTR);
    close(report[0]);
    if (count == (ssize_t)sizeof what) {
        reap(pid);
        return failed(what.step, what.error);
    }
    int handle = (int)syscall(SYS_pidfd_open, pid, 0);
    if (handle < 0) {
        int error = errno;
        kill(pid, SIGKILL);
        reap(pid);
        return failed(CPROCESS_FORK, error);
    }
    return (cprocess_result){.step = CPROCESS_STARTED, .error = 0, .pid = pid, .handle = handle};
}

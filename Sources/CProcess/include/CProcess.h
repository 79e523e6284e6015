#ifndef CPROCESS_H
#define CPROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/// The maximum number of descriptors for a child.
#define CPROCESS_MAX_DESCRIPTORS 32

/// A descriptor of the parent and its number in the child.
typedef struct {
    int from;
    int to;
} cprocess_descriptor;

/// Everything that a child needs, prepared before the fork because the child must not allocate.
typedef struct {
    const char *path;
    char *const *arguments;   // ends with NULL
    char *const *environment; // ends with NULL; if NULL itself: the parent's
    const char *folder;       // if NULL: the parent's
    const cprocess_descriptor *descriptors;
    size_t descriptor_count;
    bool dies_with_parent;
    bool own_group;
} cprocess_request;

/// The step at which a start failed.
typedef enum {
    CPROCESS_STARTED,
    CPROCESS_FORK,
    CPROCESS_DESCRIPTORS,
    CPROCESS_FOLDER,
    CPROCESS_EXECUTE,
} cprocess_step;

/// `pid` and `handle` (a pidfd, owned by the caller) are valid if `step` is CPROCESS_STARTED; otherwise `error` is an
/// errno.
typedef struct {
    cprocess_step step;
    int error;
    pid_t pid;
    int handle;
} cprocess_result;

/// Starts a program with no signals blocked or ignored, and with only the given descriptors. Returns once it is
/// running.
///
/// With `dies_with_parent`, the kernel kills the child when the *thread* that called this function ends.
cprocess_result cprocess_start(const cprocess_request *request);

#endif

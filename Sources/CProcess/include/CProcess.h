#ifndef CPROCESS_H
#define CPROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/// The most descriptors one child can be given.
#define CPROCESS_MAX_DESCRIPTORS 32

/// A descriptor of the parent and the number it gets in the child.
typedef struct {
    int from;
    int to;
} cprocess_descriptor;

/// Everything a child needs, made ready before the fork: the child may not allocate.
typedef struct {
    const char *path;
    char *const *arguments;   // ends with NULL
    char *const *environment; // ends with NULL; NULL itself: the parent's
    const char *folder;       // NULL: the parent's
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

/// `pid` and `handle` (a pidfd, owned by the caller) are valid when `step` is CPROCESS_STARTED; otherwise `error` is an errno.
typedef struct {
    cprocess_step step;
    int error;
    pid_t pid;
    int handle;
} cprocess_result;

/// Starts a program with no signal blocked or ignored and no descriptor but those given, and returns once it runs.
///
/// With `dies_with_parent` the kernel kills the child when the *thread* that called this ends.
cprocess_result cprocess_start(const cprocess_request *request);

#endif

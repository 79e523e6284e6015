internal import CThreads
internal import Glibc

/// What the C library keeps of the memory that threads are done with (mallopt(3)).
package enum Heap {
    /// Keeps little, for a process of many threads that mostly wait. To be called before the first thread is started.
    package static func keepSmall() {
        // Otherwise each thread gets an arena of its own, up to eight for a processor, and what is freed in one serves no other.
        mallopt(M_ARENA_MAX, Int32(clamping: Processors.count))
        // The scrypt hash of an imported password takes 16 MiB, once. Without a fixed limit the library learns from the first such block
        // that is freed to keep those that follow.
        mallopt(M_MMAP_THRESHOLD, 1 << 20)
    }
}

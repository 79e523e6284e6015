internal import CThreads
internal import Glibc

/// The C library's retention of freed memory (mallopt(3)).
package enum Heap {
    /// Makes the C library retain little memory, for a process with many threads that mostly wait. Call this method
    /// before the first thread starts.
    package static func keepSmall() {
        // By default each thread gets its own arena, up to eight per processor, and memory freed in one arena is not
        // reused by others.
        mallopt(M_ARENA_MAX, Int32(clamping: Processors.count))
        // The scrypt hash of an imported password takes 16 MiB once. Without a fixed threshold, glibc raises the
        // threshold when the first such block is freed, and retains later ones.
        mallopt(M_MMAP_THRESHOLD, 1 << 20)
    }
}

internal import CArgon2
internal import Glibc

/// The memory of one Argon2 hash: about 20 MiB for tens of milliseconds, mapped and unmapped per hash.
///
/// Huge pages are requested: a hash accesses all of its memory in random order, and the page faults of thousands of
/// small pages would take half as long as the hash itself.
enum Argon2Memory {
    /// For libargon2's `allocate_cbk`.
    static let allocate: allocate_fptr = { memory, byteCount in
        let mapped = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let memory, let mapped, mapped != MAP_FAILED else { return ARGON2_MEMORY_ALLOCATION_ERROR.rawValue }
        // Best effort: without huge pages this call fails, and small pages are used.
        madvise(mapped, byteCount, MADV_HUGEPAGE)
        memory.pointee = mapped.assumingMemoryBound(to: UInt8.self)
        return ARGON2_OK.rawValue
    }

    /// For libargon2's `free_cbk`.
    static let free: deallocate_fptr = { memory, byteCount in
        if let memory { munmap(memory, byteCount) }
    }
}

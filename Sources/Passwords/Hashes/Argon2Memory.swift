internal import CArgon2
internal import Glibc

/// The memory of one Argon2 hash: some 20 MiB for some tens of milliseconds, from the system and back to it.
///
/// In huge pages where there are any: a hash goes through all of it in no order, and thousands of small pages would take half as
/// long to come as the hash itself.
enum Argon2Memory {
    /// For libargon2's `allocate_cbk`.
    static let allocate: allocate_fptr = { memory, byteCount in
        let mapped = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let memory, let mapped, mapped != MAP_FAILED else { return ARGON2_MEMORY_ALLOCATION_ERROR.rawValue }
        // A system without huge pages refuses, and small ones do, too.
        madvise(mapped, byteCount, MADV_HUGEPAGE)
        memory.pointee = mapped.assumingMemoryBound(to: UInt8.self)
        return ARGON2_OK.rawValue
    }

    /// For libargon2's `free_cbk`.
    static let free: deallocate_fptr = { memory, byteCount in
        if let memory { munmap(memory, byteCount) }
    }
}

internal import COpenSSL
internal import Glibc
internal import Synchronization

/// A pool of prepared libcrypto contexts, so that requests do not have to prepare them.
///
/// A thread takes a context, uses it exclusively and returns it. Threads start at different slots, so usually no two
/// threads write to the same cache line. Threads never wait: if all slots are empty, the thread creates a context.
///
/// `@unchecked Sendable`: a slot contains a context or nothing, and an atomic exchange hands the context to one thread.
/// Values that `make` and `free` capture must be immutable or used by one thread at a time.
final class ContextPool: @unchecked Sendable {
    private static let slotCount = 16
    /// The words per slot: one cache line, to avoid false sharing.
    private static let stride = 8

    private let slots: UnsafeMutablePointer<Atomic<UInt>>
    private let make: () -> OpaquePointer?
    private let free: (OpaquePointer) -> Void

    init(make: @escaping () -> OpaquePointer?, free: @escaping (OpaquePointer) -> Void) {
        slots = .allocate(capacity: Self.slotCount * Self.stride)
        for index in 0..<Self.slotCount * Self.stride { (slots + index).initialize(to: Atomic(0)) }
        self.make = make
        self.free = free
    }

    deinit {
        for index in 0..<Self.slotCount {
            if let context = OpaquePointer(bitPattern: slot(index).pointee.load(ordering: .acquiring)) { free(context) }
        }
        slots.deinitialize(count: Self.slotCount * Self.stride)
        slots.deallocate()
    }

    /// Calls `body` with a context that no other thread uses. If `body` throws, the context is not reused.
    func withContext<Result>(
        _ body: (OpaquePointer) throws(CryptographyFailure) -> Result
    ) throws(CryptographyFailure) -> Result {
        let first = Self.firstSlot
        let context = try take(from: first)
        let result: Result
        do {
            result = try body(context)
        } catch {
            free(context)
            throw error
        }
        give(context, to: first)
        return result
    }

    private func slot(_ index: Int) -> UnsafeMutablePointer<Atomic<UInt>> {
        slots + index % Self.slotCount * Self.stride
    }

    private func take(from first: Int) throws(CryptographyFailure) -> OpaquePointer {
        for index in first..<first + Self.slotCount {
            let taken = slot(index).pointee.exchange(0, ordering: .acquiring)
            if let context = OpaquePointer(bitPattern: taken) { return context }
        }
        return try made(make())
    }

    private func give(_ context: OpaquePointer, to first: Int) {
        let address = UInt(bitPattern: context)
        for index in first..<first + Self.slotCount {
            if slot(index).pointee.compareExchange(expected: 0, desired: address, ordering: .releasing).exchanged {
                return
            }
        }
        free(context)
    }

    /// The calling thread's first slot, a hash of its `pthread_t`. These addresses are pages apart.
    private static var firstSlot: Int {
        Int(truncatingIfNeeded: (UInt(pthread_self()) >> 12) &* 0x9E37_79B9_7F4A_7C15 >> 60)
    }
}

/// The algorithms in use. Each is fetched once, because OpenSSL 3 searches its providers at each fetch.
///
/// They are fetched from the default library context, so the operator's `openssl.cnf` decides which provider implements
/// them. The FIPS provider alone has no scrypt, so imported scrypt hashes cannot be verified with it.
///
/// `nonisolated(unsafe)`: an algorithm does not change after it was fetched, and is never freed.
enum Algorithms {
    nonisolated(unsafe) static let sha1 = fetched(EVP_MD_fetch(nil, "SHA1", nil))
    nonisolated(unsafe) static let sha256 = fetched(EVP_MD_fetch(nil, "SHA256", nil))
    nonisolated(unsafe) static let hmac = fetched(EVP_MAC_fetch(nil, "HMAC", nil))
    nonisolated(unsafe) static let aes256GCM = fetched(EVP_CIPHER_fetch(nil, "AES-256-GCM", nil))
    nonisolated(unsafe) static let aes256CTR = fetched(EVP_CIPHER_fetch(nil, "AES-256-CTR", nil))
    nonisolated(unsafe) static let aes256Wrap = fetched(EVP_CIPHER_fetch(nil, "AES-256-WRAP", nil))

    private static func fetched(_ algorithm: OpaquePointer?) -> OpaquePointer {
        mustSucceed { () throws(CryptographyFailure) in try made(algorithm) }
    }
}

internal import NIOCore
internal import Synchronization

/// A request's body that knows whether it was asked for.
///
/// The HTTP client asks for it when the connection stands and the request's head goes out. As long as it has not, nothing can have been sent,
/// whatever fails; from then on only an answer tells.
struct ObservedBody: AsyncSequence, Sendable {
    private final class Flag: Sendable {
        let isSet = Atomic<Bool>(false)
    }

    let bytes: ByteBuffer
    private let flag = Flag()

    init(_ bytes: [UInt8]) {
        self.bytes = ByteBuffer(bytes: bytes)
    }

    var hasBegun: Bool { flag.isSet.load(ordering: .acquiring) }

    func makeAsyncIterator() -> Iterator {
        Iterator(rest: bytes) { [flag] in flag.isSet.store(true, ordering: .releasing) }
    }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate var rest: ByteBuffer?
        fileprivate let begin: @Sendable () -> Void

        fileprivate init(rest: ByteBuffer, begin: @escaping @Sendable () -> Void) {
            self.rest = rest
            self.begin = begin
        }

        mutating func next() async -> ByteBuffer? {
            begin()
            defer { rest = nil }
            return rest
        }
    }
}

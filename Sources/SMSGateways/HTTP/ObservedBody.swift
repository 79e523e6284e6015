internal import NIOCore
internal import Synchronization

/// A request's body that knows whether it was asked for.
///
/// The HTTP client asks for it when the connection stands and the request's head goes out. As long as it has not, nothing can have been sent,
/// whatever fails; from then on only an answer tells.
struct ObservedBody: AsyncSequence, Sendable {
    private enum State {
        case waiting
        case begun
        case withdrawn
    }

    /// The body, once, for whoever asks before it is withdrawn.
    private final class Source: Sendable {
        private let state = Mutex(State.waiting)

        /// Whether it may go out.
        func begin() -> Bool {
            state.withLock { state in
                if state == .waiting { state = .begun }
                return state == .begun
            }
        }

        func withdraw() -> Bool {
            state.withLock { state in
                if state == .waiting { state = .withdrawn }
                return state == .begun
            }
        }
    }

    let bytes: ByteBuffer
    private let source = Source()

    init(_ bytes: [UInt8]) {
        self.bytes = ByteBuffer(bytes: bytes)
    }

    /// Gives up: a body that was not asked for yet never goes out, though nobody waits for the HTTP client to notice.
    ///
    /// - Returns: whether it was asked for before.
    func withdraw() -> Bool { source.withdraw() }

    func makeAsyncIterator() -> Iterator {
        Iterator(rest: bytes) { [source] in source.begin() }
    }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate var rest: ByteBuffer?
        fileprivate let begin: @Sendable () -> Bool

        fileprivate init(rest: ByteBuffer, begin: @escaping @Sendable () -> Bool) {
            self.rest = rest
            self.begin = begin
        }

        mutating func next() async throws -> ByteBuffer? {
            guard begin() else { throw CancellationError() }
            defer { rest = nil }
            return rest
        }
    }
}

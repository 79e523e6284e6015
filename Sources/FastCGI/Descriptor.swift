import Glibc

/// A reference-counted file descriptor, closed with the last reference.
final class Descriptor: Sendable {
    let number: Int32

    init(owning number: Int32) {
        self.number = number
    }

    deinit {
        close(number)
    }
}

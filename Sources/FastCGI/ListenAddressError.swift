/// A text that is no listen address.
public struct ListenAddressError: Error, Hashable, CustomStringConvertible {
    /// The text as it was given.
    public let text: String

    package init(text: String) {
        self.text = text
    }

    /// One line that tells what would have been right.
    public var description: String {
        "\"\(text)\" is no listen address: expected unix:PATH, tcp:HOST:PORT, tcp:[IPV6]:PORT, fd:NUMBER or systemd"
    }
}

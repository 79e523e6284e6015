/// The error for an invalid listen address.
public struct ListenAddressError: Error, Hashable, CustomStringConvertible {
    /// The invalid text.
    public let text: String

    package init(text: String) {
        self.text = text
    }

    /// One line with the valid forms.
    public var description: String {
        "\"\(text)\" is not a listen address: use unix:PATH, tcp:HOST:PORT, tcp:[IPV6]:PORT, fd:NUMBER or systemd"
    }
}

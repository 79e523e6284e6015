/// The URL by which the page ends: it opens the app and carries the answer. ``Callback`` makes it.
///
/// It may carry a token, so it shows nothing of itself when printed.
public struct DeepLink: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// ASCII without spaces, quotes or `+`.
    public let url: String

    init(url: String) {
        self.url = url
    }

    /// The type's name.
    public var description: String { "DeepLink(…)" }
    /// The type's name.
    public var debugDescription: String { description }
    /// Empty.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

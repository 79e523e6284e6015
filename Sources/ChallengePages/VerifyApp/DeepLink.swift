public import Encodings

/// The URL by which the page ends: it opens the app and carries the answer. ``Callback`` makes it.
///
/// It may carry a token, so it shows nothing of itself when printed.
public struct DeepLink: Sendable, Equatable, Confidential {
    /// ASCII without spaces, quotes or `+`.
    public let url: String

    init(url: String) {
        self.url = url
    }
}

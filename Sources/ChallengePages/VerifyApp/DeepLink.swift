public import Encodings

/// The URL that opens the app with the page's result. ``Callback`` creates it.
///
/// It may contain a token, so it is hidden when printed.
public struct DeepLink: Sendable, Equatable, Confidential {
    /// ASCII without spaces, quotes or `+`.
    public let url: String

    init(url: String) {
        self.url = url
    }
}

internal import CCurl

/// libcurl, which a process loads at its first request.
public enum HTTPLibrary {
    /// Whether libcurl is loaded and works. If it does not, every request fails as ``TransportFailure/connectionLost``.
    public static let isLoaded = ccurl_global_init() != 0
}

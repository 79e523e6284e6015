internal import CCurl

/// libcurl, which a process loads with its first request.
public enum HTTPLibrary {
    /// Whether libcurl is loaded and works. If it is not, every request fails with ``TransportFailure/connectionLost``.
    public static let isLoaded = ccurl_global_init() != 0
}

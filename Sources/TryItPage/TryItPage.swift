internal import ChallengePages

/// The page that development mode serves at `/`: a small phone sign-in app beside an inbox that replaces SMS.
///
/// The files are in `Assets` and are compiled into the binary, so no folder is needed at run time.
public enum TryItPage {
    /// The page and its resources, each under the path by which the page refers to it.
    public static let assets: [Asset] = [
        Asset(path: "/", contentType: "text/html; charset=utf-8", body: PackageResources.try_it_html),
        Asset(path: "/try-it.css", contentType: "text/css; charset=utf-8", body: PackageResources.try_it_css),
        Asset(path: "/try-it.js", contentType: "text/javascript; charset=utf-8", body: PackageResources.try_it_js),
        Asset(path: "/qr-code.js", contentType: "text/javascript; charset=utf-8", body: PageAssets.qrCode),
        Asset(path: "/try-it.svg", contentType: "image/svg+xml", body: PackageResources.try_it_svg),
    ]

    /// The value of the `Content-Security-Policy` header for every asset.
    ///
    /// The page has no inline script or style, and loads nothing from another origin. The component's proof of work
    /// runs in a worker that it creates itself. Message texts may be attacker-controlled: the policy prevents them from
    /// running scripts, even if the page inserted them as markup.
    public static let contentSecurityPolicy =
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; worker-src blob:; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}

/// One file of the try-it page.
public struct Asset: Sendable {
    /// The request path of the file, such as `/try-it.css`.
    public let path: String
    /// The value of its `Content-Type` header.
    public let contentType: String
    /// The content, as it is sent.
    public let body: [UInt8]
}

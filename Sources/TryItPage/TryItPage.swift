/// The page that development mode serves at `/`: a small phone sign-in app beside the inbox that stands in for SMS.
///
/// The files lie in `Assets` and are compiled into the binary, so that it has no folder to lose.
public enum TryItPage {
    /// The page and what it loads, each under the path by which the page refers to it.
    public static let assets: [Asset] = [
        Asset(path: "/", contentType: "text/html; charset=utf-8", body: PackageResources.try_it_html),
        Asset(path: "/try-it.css", contentType: "text/css; charset=utf-8", body: PackageResources.try_it_css),
        Asset(path: "/try-it.js", contentType: "text/javascript; charset=utf-8", body: PackageResources.try_it_js),
        Asset(path: "/try-it.svg", contentType: "image/svg+xml", body: PackageResources.try_it_svg),
    ]

    /// The value of the `Content-Security-Policy` header for every asset.
    ///
    /// The page keeps to it: no inline script or style, and nothing from another origin. Texts of messages, which a
    /// stranger may choose, could not run anything even if the page put them in as markup.
    public static let contentSecurityPolicy =
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}

internal import ChallengePages
public import OperatorPage

/// The page that development mode serves at `/`: a small phone sign-in app beside an inbox that replaces SMS.
///
/// The files are in `Assets` and are compiled into the binary, so no folder is needed at run time.
public enum TryItPage {
    /// The page and its resources, each under the path by which the page refers to it.
    public static let assets: [OperatorPage.Asset] = [
        ("/", "text/html; charset=utf-8", PackageResources.try_it_html),
        ("/try-it.css", "text/css; charset=utf-8", OperatorPage.look + PackageResources.try_it_css),
        ("/try-it.js", "text/javascript; charset=utf-8", PackageResources.try_it_js),
        ("/qr-code.js", "text/javascript; charset=utf-8", PageAssets.qrCode),
        ("/try-it.svg", "image/svg+xml", OperatorPage.icon),
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

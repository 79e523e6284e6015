/// The page on the admin listener on which an operator sees what happens.
///
/// The files are in `Assets` and are compiled into the binary, so no folder is needed at run time. Whatever the page
/// shows comes from routes of the admin interface, with the rights of the operator's token.
public enum OperatorPage {
    /// A file of the page: its path, the value of its `Content-Type` header, and its content.
    public typealias Asset = (path: String, contentType: String, body: [UInt8])

    /// The style sheet and the icon that this page and the try-it page share.
    public static let (look, icon) = (PackageResources.look_css, PackageResources.operator_svg)

    /// The page and its resources, each under the path by which the page refers to it.
    public static let assets: [Asset] =
        [
            ("/operator", "text/html; charset=utf-8", PackageResources.operator_html),
            ("/operator/operator.css", "text/css; charset=utf-8", look + PackageResources.operator_css),
            ("/operator/operator.svg", "image/svg+xml", icon),
        ]
        + [
            ("operator", PackageResources.operator_js), ("dom", PackageResources.dom_js),
            ("server", PackageResources.server_js), ("ask", PackageResources.ask_js),
            ("why", PackageResources.why_js), ("users", PackageResources.users_js),
            ("outbox", PackageResources.outbox_js), ("spend", PackageResources.spend_js),
            ("limits", PackageResources.limits_js), ("audit", PackageResources.audit_js),
        ].map { name, body in ("/operator/\(name).js", "text/javascript; charset=utf-8", body) }

    /// The value of the `Content-Security-Policy` header for every asset.
    ///
    /// The page has no inline script or style, and loads nothing from another origin. It shows texts that users choose:
    /// the policy prevents them from running scripts, even if the page inserted them as markup.
    public static let contentSecurityPolicy =
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; "
        + "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
}

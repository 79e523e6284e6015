internal import FastCGI
internal import TryItPage

extension IdentityToolkitHandler {
    /// Returns an asset of the page on which a newcomer tries the server.
    func tryItAsset(_ index: Int) -> Response {
        let asset = TryItPage.assets[index]
        return Response(
            status: 200,
            headers: [
                ("Content-Type", asset.contentType),
                ("Content-Security-Policy", TryItPage.contentSecurityPolicy),
                ("Cache-Control", "no-cache"),
            ],
            body: asset.body
        )
    }
}

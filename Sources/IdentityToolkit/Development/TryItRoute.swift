internal import Encodings
internal import FastCGI
internal import TryItPage

extension IdentityToolkitHandler {
    /// Returns an asset of the page on which newcomers try the server. Tools that wait for the reference emulator send
    /// `GET /` without accepting HTML, and get its status.
    static func tryItAsset(_ asset: Asset, _ request: borrowing Request) -> Response {
        if asset.path == "/", !(request.parameter("HTTP_ACCEPT") ?? "").contains("text/html") {
            return .json(
                JSONWriter.object { json in
                    json.object("authEmulator") { $0.member("ready", true) }
                }
            )
        }
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

internal import Encodings
internal import FastCGI
internal import TryItPage

/// The reference emulator's responses to tools that wait for it and to browsers that reach it through a tunnel.
extension IdentityToolkitHandler {
    /// Returns whether a request for an asset is a tool's check that the emulator is up: `GET /` from a client that is
    /// not a browser.
    func asksForEmulatorStatus(_ request: borrowing Request, _ index: Int) -> Bool {
        guard TryItPage.assets[index].path == "/" else { return false }
        return !(request.parameter("HTTP_ACCEPT") ?? "").contains("text/html")
    }

    func emulatorStatus() -> Response {
        .json(
            JSONWriter.object { json in
                json.object("authEmulator") { $0.member("ready", true) }
            }
        )
    }
}

extension Response {
    /// Replaces the allowed origin `*`, which jsdom and old browsers reject, by the caller's origin. Also lets a public
    /// page reach a server on loopback (Private Network Access). For development only.
    mutating func allowOrigin(of request: borrowing Request) {
        if let origin = request.parameter("HTTP_ORIGIN"), origin.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
            let index = headers.firstIndex(where: { $0.value == "*" })
        {
            headers[index].value = origin
            headers.append(("Vary", "Origin"))
        }
        if request.parameter("HTTP_ACCESS_CONTROL_REQUEST_PRIVATE_NETWORK") == "true" {
            headers.append(("Access-Control-Allow-Private-Network", "true"))
        }
    }
}

internal import FastCGI

extension Response {
    /// Replaces the allowed origin `*`, which jsdom and old browsers reject, with the caller's origin. Also lets a
    /// public page reach a server on loopback (Private Network Access). For development only.
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

internal import FastCGI

extension Response {
    /// Replaces the allowed origin `*`, which jsdom and old browsers reject, with the caller's origin, or removes it if
    /// the origin's host is not among `hosts`. Also lets an allowed page reach a server on loopback (Private Network
    /// Access). For development only.
    mutating func allowOrigin(of request: borrowing Request, among hosts: DevelopmentHosts) {
        // Browsers send an origin with every request whose response a page of another origin may read.
        guard let index = headers.firstIndex(where: { $0.value == "*" }) else { return }
        headers.append(("Vary", "Origin"))
        guard let origin = request.parameter("HTTP_ORIGIN") else { return }
        guard origin.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), hosts.contain(hostOf: origin) else {
            headers.remove(at: index)
            return
        }
        headers[index].value = origin
        if request.parameter("HTTP_ACCESS_CONTROL_REQUEST_PRIVATE_NETWORK") == "true" {
            headers.append(("Access-Control-Allow-Private-Network", "true"))
        }
    }
}

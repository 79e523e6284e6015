internal import Encodings
internal import FastCGI

/// The hosts under which a development server answers, and whose pages may read its responses.
///
/// A development server trusts every client, so a page of another site must not be able to read its inbox: neither from
/// another origin, nor under a name of that site that resolves to the developer's machine (DNS rebinding). An address
/// in a header cannot be rebound. Public DNS has no names below `localhost` (RFC 6761 § 6.3) and `local`
/// (RFC 6762 § 3).
struct DevelopmentHosts: Sendable {
    /// The domains that the settings name, in lower case.
    let named: [String]

    /// Returns whether a request's `Host` is one of the hosts.
    func contain(host text: String) -> Bool { contain(text[...]) }

    /// Returns whether the host of a request's `Origin` is one of the hosts. The origin `null` is not, because
    /// any site can send it from a frame with the attribute `sandbox`.
    func contain(hostOf origin: String) -> Bool {
        guard let colon = origin.firstIndex(of: ":"), origin[colon...].hasPrefix("://") else { return false }
        return contain(origin[colon...].dropFirst(3))
    }

    private func contain(_ authority: Substring) -> Bool {
        let authority = authority.lowercased()
        guard let address = HostAndPort(authority[...]) else { return false }
        if address.isBracketed { return Self.isOfLocalNetwork(ipv6: address.host) }
        if named.contains(authority) || named.contains(String(address.host)) { return true }
        guard Self.isName(address.host) else { return false }
        return address.host == "localhost" || address.host.hasSuffix(".localhost") || address.host.hasSuffix(".local")
            || Self.isOfLocalNetwork(ipv4: address.host)
    }

    /// Returns whether a host consists of labels of letters, digits and hyphens (RFC 1123 § 2.1).
    private static func isName(_ host: Substring) -> Bool {
        host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { label in
            label.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "-") }
                && !label.isEmpty && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
        }
    }

    /// Loopback (RFC 1122 § 3.2.1.3), private (RFC 1918), among them `10.0.2.2`, by which Android's emulator reaches
    /// its host, and link-local addresses (RFC 3927).
    private static func isOfLocalNetwork(ipv4 host: Substring) -> Bool {
        let parts = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let bytes = parts.map { Substring($0) }.compactMap { $0.isASCIIDigits ? UInt8($0) : nil }
        guard parts.count == 4, bytes.count == 4 else { return false }
        return switch (bytes[0], bytes[1]) {
        case (127, _), (10, _), (172, 16...31), (192, 168), (169, 254): true
        default: false
        }
    }

    /// Loopback (RFC 4291 § 2.5.3), unique local (RFC 4193) and link-local addresses (RFC 4291 § 2.5.6).
    private static func isOfLocalNetwork(ipv6 host: Substring) -> Bool {
        if host == "::1" { return true }
        guard host.utf8.allSatisfy({ $0.hexDigitValue != nil || ":.".utf8.contains($0) }) else { return false }
        guard let group = UInt16(host.prefix { $0 != ":" }, radix: 16) else { return false }
        return group & 0xFE00 == 0xFC00 || group & 0xFFC0 == 0xFE80
    }
}

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

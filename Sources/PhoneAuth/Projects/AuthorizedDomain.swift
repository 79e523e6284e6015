internal import Encodings

/// The form of a project's authorized domains: a host, with its port unless that is the scheme's.
public enum AuthorizedDomain {
    /// Returns a domain as it appears in URLs and in browsers' `Origin` fields: in lower case, and without the port of
    /// `https`. Nil if the text is not a host with an optional port.
    public static func normalized(_ text: String) -> String? {
        let https = "https://"
        // The description is the text only if the URL has no path and no query.
        guard let url = try? ServiceURL(https + text), url.description == https + text else { return nil }
        let domain = text.lowercased()
        return domain.hasSuffix(":443") ? String(domain.dropLast(4)) : domain
    }

    /// Returns the host of an authorized domain, without its port.
    public static func host(of domain: String) -> String {
        HostAndPort(domain[...]).map { String($0.host) } ?? domain
    }
}

extension Project {
    /// Returns whether a web page's user may be sent to a URL: its host is an authorized domain (open redirect). Nil if
    /// the text is not an absolute `http` or `https` URL.
    public func authorizes(url text: String) -> Bool? {
        guard text.hasPrefix("https://") || text.hasPrefix("http://"), text.utf8.count <= 2048,
            // Browsers read a backslash as a slash.
            text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") })
        else { return nil }
        let rest = text.drop { $0 != "/" }.dropFirst(2)
        guard let domain = AuthorizedDomain.normalized(String(rest.prefix { !"/?#".contains($0) })) else { return nil }
        return authorizedDomains.contains { [domain, AuthorizedDomain.host(of: domain)].contains($0) }
    }
}

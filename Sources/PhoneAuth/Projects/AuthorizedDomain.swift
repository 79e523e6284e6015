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

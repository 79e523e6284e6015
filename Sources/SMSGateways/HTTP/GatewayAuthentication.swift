internal import Cryptography
internal import Encodings

/// How an HTTP gateway authenticates Dialtone's requests. The settings name the account and the secret.
///
/// A provider that expects its key elsewhere gets it by `{secret}` in a header field or the body.
public enum GatewayAuthentication: Sendable, Equatable {
    case none
    /// RFC 7617.
    case basic
    /// RFC 7617. Twilio: "REST API: API Keys". The user is the id of an API key if there is one, otherwise the account.
    case twilio
    /// RFC 6750.
    case bearer
    /// A header field with the HMAC-SHA256 of the body, in hexadecimal digits.
    case hmac(header: String)
    /// AWS: "Signature Version 4 for API requests". Without a region, the second label of the host is the region.
    case aws(region: String?, service: String)
    /// Microsoft: "Sign an HTTP request using HMAC" of Azure Communication Services. The secret is an access key.
    case azure
    /// Alibaba Cloud: "Request syntax and signature method V3".
    case alibaba
    /// Vonage: "Authentication", section "JSON Web Tokens". The account is the id of an application, which has a key.
    case vonage

    /// Parses `basic`, `bearer`, `hmac-sha256 NAME` or `aws-sigv4 REGION/SERVICE`; nil for any other text.
    public init?(_ text: String) {
        let words = text.split(separator: " ").map(String.init)
        switch (words.first, words.count) {
        case ("basic"?, 1): self = .basic
        case ("bearer"?, 1): self = .bearer
        case ("hmac-sha256"?, 2) where HeaderTemplate.isName(words[1]): self = .hmac(header: words[1])
        case ("aws-sigv4"?, 2):
            let scope = words[1].split(separator: "/").map(String.init)
            guard scope.count == 2 else { return nil }
            self = .aws(region: scope[0], service: scope[1])
        default: return nil
        }
    }

    var needsAccount: Bool {
        switch self {
        case .basic, .twilio, .aws, .alibaba, .vonage: true
        case .none, .bearer, .hmac, .azure: false
        }
    }

    var needsSecret: Bool { self != .none && self != .vonage }

    /// Adds the proof of the account's identity to a complete request.
    func sign(_ request: inout GatewayRequest, _ owner: HTTPGatewayConfiguration.Account, at now: Instant) {
        let account = owner.name ?? ""
        if let key = owner.key { return request.signForVonage(account, key, at: now) }
        guard let secret = owner.secret else { return }
        switch self {
        case .none, .vonage: break
        case .basic, .twilio: request.basicAuthentication = (owner.keyID ?? account, secret)
        case .bearer: request.headers.append(("Authorization", "Bearer \(secret.text)"))
        case .hmac(let header):
            let code = HMAC.authenticationCode(.sha256, for: request.body, key: secret.bytes)
            request.headers.append((header, Hexadecimal.encode(code)))
        case .aws(let region, let service):
            let labels = request.target.host.split(separator: ".")
            let region = region ?? (labels.count > 1 ? String(labels[1]) : "")
            request.signForAWS(account, secret, "\(region)/\(service)", at: now)
        case .azure: request.signForAzure(secret, at: now)
        case .alibaba: request.signForAlibaba(account, secret, at: now)
        }
    }
}

extension GatewayRequest {
    fileprivate var method: String { contentType == nil ? "GET" : "POST" }

    /// The parts of the URL: the host with its port, the path, and the query without `?`.
    fileprivate var target: (host: Substring, path: Substring, query: Substring) {
        let origin = ServiceURL.origin(of: url)
        let rest = url.dropFirst(origin.count)
        let path = rest.prefix { $0 != "?" }
        return (
            origin.drop { $0 != "/" }.dropFirst(2), path.isEmpty ? "/" : path, rest.dropFirst(path.count).dropFirst()
        )
    }

    fileprivate mutating func signForAWS(_ account: String, _ secret: GatewaySecret, _ scope: String, at now: Instant) {
        let time = now.utc.filter { $0 != "-" && $0 != ":" }
        let date = time.prefix(8)
        headers.append(("X-Amz-Date", time))
        let (names, hash) = canonicalHash(signing: ["content-type", "x-amz-"])
        let scope = "\(date)/\(scope)/aws4_request"
        var key = Array("AWS4\(secret.text)".utf8)
        for part in scope.split(separator: "/") {
            key = HMAC.authenticationCode(.sha256, for: Array(part.utf8), key: key)
        }
        let text = "AWS4-HMAC-SHA256\n\(time)\n\(scope)\n\(hash)"
        let code = HMAC.authenticationCode(.sha256, for: Array(text.utf8), key: key)
        headers.append(
            (
                "Authorization",
                "AWS4-HMAC-SHA256 Credential=\(account)/\(scope), SignedHeaders=\(names), "
                    + "Signature=\(Hexadecimal.encode(code))"
            )
        )
    }

    fileprivate mutating func signForAlibaba(_ account: String, _ secret: GatewaySecret, at now: Instant) {
        headers.append(("x-acs-date", now.utc))
        headers.append(("x-acs-content-sha256", Hexadecimal.encode(SHA256.hash(body))))
        let (names, hash) = canonicalHash(signing: ["x-acs-"])
        let code = HMAC.authenticationCode(.sha256, for: Array("ACS3-HMAC-SHA256\n\(hash)".utf8), key: secret.bytes)
        headers.append(
            (
                "Authorization",
                "ACS3-HMAC-SHA256 Credential=\(account),SignedHeaders=\(names),Signature=\(Hexadecimal.encode(code))"
            )
        )
    }

    fileprivate mutating func signForAzure(_ secret: GatewaySecret, at now: Instant) {
        let (host, path, query) = target
        let date = now.httpDate
        let hash = Base64.encode(SHA256.hash(body))
        let text = "\(method)\n\(path)\(query.isEmpty ? "" : "?\(query)")\n\(date);\(host);\(hash)"
        let key = Base64.decode(padded: secret.text.utf8) ?? []
        let signature = Base64.encode(HMAC.authenticationCode(.sha256, for: Array(text.utf8), key: key))
        headers += [
            ("x-ms-date", date), ("x-ms-content-sha256", hash),
            (
                "Authorization",
                "HMAC-SHA256 SignedHeaders=x-ms-date;host;x-ms-content-sha256&Signature=\(signature)"
            ),
        ]
    }

    fileprivate mutating func signForVonage(_ application: String, _ key: RSAPrivateKey, at now: Instant) {
        let header = JSONWriter.object { json in
            json.member("alg", "RS256")
            json.member("typ", "JWT")
        }
        let claims = JSONWriter.object { json in
            json.member("application_id", application)
            json.member("iat", now.seconds)
            json.member("exp", now.seconds + 60)
            json.member("jti", "\(Hexadecimal.encode(SHA256.hash(body)))-\(now.milliseconds)")
        }
        let text = "\(Base64URL.string(header)).\(Base64URL.string(claims))"
        // Without the signature, Vonage refuses the credentials.
        let signature = (try? key.signature(for: Array(text.utf8))) ?? []
        headers.append(("Authorization", "Bearer \(text).\(Base64URL.string(signature))"))
    }

    /// Returns the names of the signed header fields and the hash of the canonical request, in which AWS and Alibaba
    /// Cloud agree. The host and the fields with these prefixes are signed.
    private func canonicalHash(signing prefixes: [String]) -> (names: String, hash: String) {
        let (host, path, query) = target
        var fields = headers.map { (name: $0.name.lowercased(), value: $0.value) }
        if let contentType { fields.append(("content-type", contentType)) }
        fields.removeAll { field in !prefixes.contains { field.name.hasPrefix($0) } }
        fields.append(("host", String(host)))
        fields.sort { $0.name < $1.name }
        let names = fields.map(\.name).joined(separator: ";")
        let parameters = query.split(separator: "&").map { pair -> (String, String) in
            let name = pair.prefix { $0 != "=" }
            return (String(name), String(pair[name.endIndex...].dropFirst()))
        }
        let text = [
            method, String(path),
            parameters.sorted { $0 < $1 }.map { "\($0)=\($1)" }.joined(separator: "&"),
            fields.map { "\($0.name):\($0.value)\n" }.joined(), names, Hexadecimal.encode(SHA256.hash(body)),
        ].joined(separator: "\n")
        return (names, Hexadecimal.encode(SHA256.hash(Array(text.utf8))))
    }
}

extension Instant {
    /// The time as an IMF-fixdate (RFC 9110 § 5.6.7), such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    var httpDate: String {
        let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let parts = utc.split { "-TZ".contains($0) }
        return "\(days[Int(seconds / 86_400) % 7]), \(parts[2]) \(months[(Int(parts[1]) ?? 1) - 1]) \(parts[0]) "
            + "\(parts[3]) GMT"
    }
}

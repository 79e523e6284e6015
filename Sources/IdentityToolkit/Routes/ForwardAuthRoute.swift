internal import Encodings
internal import FastCGI
internal import PhoneAuth

/// Forward authentication: a proxy asks for each request of its clients whether the credential in it is valid (nginx's
/// `auth_request`, Traefik's `ForwardAuth`, Caddy's `forward_auth`, Envoy's `ext_authz`).
extension IdentityToolkitHandler {
    /// Returns 204 with headers about the user, or 401. The proxy's configuration is in the query.
    static func verifyForProxy(
        _ api: Self,
        _ request: borrowing Request,
        _ record: RequestRecord
    ) throws(WireError) -> Response {
        let options = try ForwardAuthOptions(request)
        let project = try api.projects.project(options.projectID)
        record.project = project.id
        guard let credential = request.forwardedCredential(cookieName: project.sessionCookieName) else {
            throw .credentialMissing
        }
        let operation = api.operation(in: project, request, record)
        do {
            let user = try operation.verify(credential, checksRevocation: options.checksRevocation)
            return Response(status: options.status, headers: headers(of: user), body: [])
        } catch {
            switch error {
            case .unavailable: throw error.wire
            case .tokenInvalid: throw .forwardedTokenInvalid("The token is invalid or has expired.", error.wire)
            case .accountUnknown, .accountDisabled, .tokenRevoked, .signInTooOld:
                throw .forwardedTokenInvalid("The token has been revoked.", error.wire)
            }
        }
    }

    /// Returns the headers that a proxy passes on. All are always present: some proxies overwrite a client's header
    /// only if the response has one of the same name.
    private static func headers(of user: ForwardedUser) -> [(name: StaticString, value: String)] {
        [
            ("X-Auth-User", user.uid.headerValue),
            ("X-Auth-Phone-Number", user.phoneNumber?.headerValue ?? ""),
            ("X-Auth-Email", user.email?.headerValue ?? ""),
            ("X-Auth-Email-Verified", user.email == nil ? "" : user.isEmailVerified ? "true" : "false"),
            ("X-Auth-Provider", user.provider.rawValue),
            ("X-Auth-Claims", user.claims),
            ("Cache-Control", "no-store"),
        ]
    }
}

/// The options of a verification in a proxy's configuration: `?project=my-project&check=revocation&status=200`.
///
/// An unknown name or value fails the request, because a misspelled option must not let anyone in.
private struct ForwardAuthOptions {
    private(set) var projectID: String?
    private(set) var checksRevocation = false
    private(set) var status = 204

    init(_ request: borrowing Request) throws(WireError) {
        guard !request.query.isEmpty else { return }
        for (name, value) in try request.queryFields().fields {
            switch (name, value) {
            case ("project", _) where projectID == nil && !value.isEmpty: projectID = value
            case ("check", "revocation"): checksRevocation = true
            case ("status", "200"): status = 200
            case ("status", "204"): status = 204
            default: throw .forwardAuthMisconfigured("The query may have project, check=revocation and status=200.")
            }
        }
    }
}

extension ProjectDirectory {
    /// Returns the project whose users a proxy admits: the named one, or the only one. If there are several projects, a
    /// proxy must name its own, or it would also admit the users of the others.
    fileprivate func project(_ id: String?) throws(WireError) -> Project {
        if let id {
            guard let project = project(id: id) else { throw .forwardAuthMisconfigured("The project does not exist.") }
            return project
        }
        guard all.count == 1 else { throw .forwardAuthMisconfigured("There are several projects: add ?project=.") }
        return all[0]
    }
}

extension WireError {
    fileprivate static var credentialMissing: WireError { unauthorized("Bearer", "The request has no credential.") }

    /// Returns a refusal of a token (RFC 6750 § 3.1). The reason is only logged.
    fileprivate static func forwardedTokenInvalid(_ description: String, _ reason: WireError) -> WireError {
        var error = unauthorized(#"Bearer error="invalid_token", error_description="\#(description)""#, description)
        error.logDetail = reason.loggedMessage
        error.deniesExistence = reason.deniesExistence
        return error
    }

    private static func unauthorized(_ challenge: String, _ explanation: String) -> WireError {
        var error = code(.unauthenticated, explanation)
        error.challenge = challenge
        error.deniesExistence = false
        return error
    }

    /// Returns an error that the operator must fix, not the client. Proxies fail closed on 400.
    fileprivate static func forwardAuthMisconfigured(_ explanation: String) -> WireError {
        code(.invalidArgument, explanation)
    }
}

extension Request {
    /// Returns the credential of a client: an ID token as bearer token, or a session cookie. Other schemes of
    /// `Authorization` are the site's own.
    fileprivate borrowing func forwardedCredential(cookieName: String) -> ForwardedCredential? {
        if let token = bearerToken { return .idToken(token) }
        return bytes(of: "HTTP_COOKIE").flatMap { $0.cookie(named: cookieName) }.map { .sessionCookie($0) }
    }
}

extension [UInt8] {
    /// Returns the value of the first cookie with this name in a `Cookie` header (RFC 6265 § 4.2.1); nil if it is
    /// missing, empty or not UTF-8. Browsers put the cookie with the longest path first.
    ///
    /// Other cookies may contain any bytes, because other programs on the site, or anywhere in its domain, set them.
    func cookie(named name: String) -> String? {
        for pair in split(separator: UInt8(ascii: ";")) {
            let pair = pair.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            guard pair.starts(with: name.utf8) else { continue }
            let rest = pair.dropFirst(name.utf8.count)
            guard rest.first == UInt8(ascii: "=") else { continue }
            let value = rest.dropFirst().prefix { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
            return value.isEmpty ? nil : String(validating: value, as: UTF8.self)
        }
        return nil
    }
}

extension String {
    /// The text for a header field: percent-encoded, except for visible ASCII other than `%`. So no text can end the
    /// line or be trimmed, and different texts stay different.
    var headerValue: String {
        guard utf8.contains(where: { !Self.isPlainInHeader($0) }) else { return self }
        var bytes: [UInt8] = []
        for byte in utf8 {
            if Self.isPlainInHeader(byte) {
                bytes.append(byte)
            } else {
                bytes += PercentEncoding.escape(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isPlainInHeader(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "%")
    }
}

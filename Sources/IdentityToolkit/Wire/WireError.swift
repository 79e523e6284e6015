internal import Encodings

/// An error in the protocol's own envelope. SDKs compare its message byte for byte.
struct WireError: Error, Sendable {
    /// The status of a response, in the three forms of the envelope.
    struct Status: Sendable {
        /// The HTTP status, which the envelope repeats as `code`.
        let http: Int
        /// The canonical status, such as `INVALID_ARGUMENT`.
        let name: String
        /// The value of `errors[0].reason`; iOS reads it to recognize API key errors.
        let reason: String

        init(_ http: Int, _ name: String, _ reason: String) {
            self.http = http
            self.name = name
            self.reason = reason
        }
    }

    let status: Status
    /// The error code; nil for an error that has only a message.
    let code: ErrorCode?
    /// The error code, and any explanation after ` : `.
    let message: String
    /// The delay before a retry in seconds; sent as the `Retry-After` header.
    var retryAfterSeconds: Int64?
    /// How many codes may still be tried; sent as the `Dialtone-Attempts-Left` header.
    var attemptsLeft: Int?
    /// How to authenticate (RFC 9110 § 11.6.1), for errors with the status 401.
    var challenge = "Bearer"
    /// The message for the log: the code alone if the explanation quotes the request or another server.
    let loggedMessage: String
    /// The OAuth error that the response contains in place of the protocol's envelope.
    private(set) var oauth: OAuthError?
    /// Whether the error may mean that a record does not exist: see ``ErrorCode/deniesExistence``.
    var deniesExistence: Bool
    /// Additional detail for the operator's log. Never a phone number, a code or a token.
    var logDetail: String?

    /// Returns an error with a code. An explanation that quotes the request or another server must not be logged.
    static func code(
        _ code: ErrorCode,
        _ explanation: String? = nil,
        isLogged: Bool = true,
        status: Status? = nil,
        logDetail: String? = nil
    ) -> WireError {
        let message = code.message(explanation)
        let loggedMessage = isLogged ? message : code.rawValue
        return WireError(status ?? code.status, code, message, loggedMessage, logDetail: logDetail)
    }

    /// Returns a rate-limit error: 400 with a `Retry-After` of at least one second. The detail is only logged.
    static func limited(
        _ code: ErrorCode,
        _ explanation: String? = nil,
        retryAfter: Duration,
        logDetail: String
    ) -> WireError {
        let seconds = max(1, (retryAfter.milliseconds + 999) / 1000)
        var error = Self.code(code, explanation, logDetail: "\(logDetail), retry in \(seconds) s")
        error.retryAfterSeconds = seconds
        return error
    }

    /// Returns an error of OAuth's token endpoint (RFC 6749 § 5.2), for OAuth grants that SDKs do not use. The
    /// explanation is for the client's developer.
    static func oauth(_ error: OAuthError, _ explanation: String, logDetail: String? = nil) -> WireError {
        var wire = WireError(.badRequest, nil, explanation, error.rawValue, logDetail: logDetail ?? explanation)
        wire.oauth = error
        wire.deniesExistence = error == .invalidGrant
        return wire
    }

    private init(
        _ status: Status,
        _ code: ErrorCode?,
        _ message: String,
        _ loggedMessage: String,
        logDetail: String?
    ) {
        self.status = status
        self.code = code
        self.message = message
        self.loggedMessage = loggedMessage
        deniesExistence = code?.deniesExistence ?? false
        self.logDetail = logDetail
    }

    /// The word for metrics: one of a fixed number.
    var word: String { oauth?.rawValue ?? code?.rawValue ?? status.name }

    /// The envelope. All values in `errors[0]` are strings; otherwise iOS ignores the list.
    var body: [UInt8] {
        JSONWriter.object { json in
            if let oauth {
                json.member("error", oauth.rawValue)
                json.member("error_description", message)
                return
            }
            json.object("error") { json in
                json.member("code", Int64(status.http))
                json.member("message", message)
                json.array("errors") { json in
                    json.object { json in
                        json.member("message", message)
                        json.member("reason", status.reason)
                        json.member("domain", "global")
                    }
                }
                json.member("status", status.name)
            }
        }
    }
}

/// The errors of OAuth's token endpoint (RFC 6749 § 5.2).
enum OAuthError: String, Sendable {
    /// A parameter is missing, repeated or malformed.
    case invalidRequest = "invalid_request"
    /// The code is invalid, expired, used, or another client's.
    case invalidGrant = "invalid_grant"
}

extension WireError.Status {
    static let badRequest = Self(400, "INVALID_ARGUMENT", "invalid")
    static let apiKeyInvalid = Self(400, "INVALID_ARGUMENT", "keyInvalid")
    static let unauthenticated = Self(401, "UNAUTHENTICATED", "authError")
    static let forbidden = Self(403, "PERMISSION_DENIED", "forbidden")
    static let notFound = Self(404, "NOT_FOUND", "notFound")
    static let methodNotAllowed = Self(405, "INVALID_ARGUMENT", "httpMethodNotAllowed")
    static let aborted = Self(409, "ABORTED", "aborted")
    static let bodyTooLarge = Self(413, "INVALID_ARGUMENT", "uploadTooLarge")
    static let unsupportedContentType = Self(415, "INVALID_ARGUMENT", "unsupportedMediaType")
    static let headersTooLarge = Self(431, "INVALID_ARGUMENT", "invalidHeader")
    static let internalError = Self(500, "INTERNAL", "backendError")
    static let unavailable = Self(503, "UNAVAILABLE", "backendError")
}

/// Errors without a code.
extension WireError {
    static let queryMalformed = badRequest("The query string is malformed.")
    static let unknownAPIKey = plain(.apiKeyInvalid, "API key not valid. Please pass a valid API key.")
    static let missingAPIKey = plain(.forbidden, "The request is missing a valid API key.")
    static let notFound = plain(.notFound, "Not Found")
    static let noIssuerHere = plain(.notFound, "No project has an issuer of its own at this URL.")
    static let methodNotAllowed = plain(.methodNotAllowed, "The method is not allowed on this path.")
    static let bodyTooLarge = plain(.bodyTooLarge, "The request body is too large.")
    static let headersTooLarge = plain(.headersTooLarge, "The request has too many or too large headers.")

    static let foreignHost = plain(
        .forbidden,
        """
        A development server answers only under loopback and private addresses and the authorized domains of its \
        settings (DNS rebinding). Add the host to DIALTONE_PROJECT_X_AUTHORIZED_DOMAINS.
        """
    )

    static func badRequest(_ message: String) -> WireError { plain(.badRequest, message) }

    /// Returns an error for a body that is not the JSON that the protocol declares.
    static func invalidPayload(_ detail: String) -> WireError {
        badRequest("Invalid JSON payload received. \(detail)")
    }

    /// Returns an error for a sender that is not authenticated.
    static func forbidden(logDetail: String) -> WireError { plain(.forbidden, "Forbidden", logDetail: logDetail) }

    static func unsupportedContentType(_ expected: String) -> WireError {
        plain(.unsupportedContentType, "The Content-Type must be \(expected).")
    }

    static func internalError(logDetail: String) -> WireError {
        plain(.internalError, "Internal error encountered.", logDetail: logDetail)
    }

    static func unavailable(logDetail: String, retryAfter: Duration = .seconds(1)) -> WireError {
        var error = plain(.unavailable, "The service is currently unavailable.", logDetail: logDetail)
        error.retryAfterSeconds = max(1, (retryAfter.milliseconds + 999) / 1000)
        return error
    }

    private static func plain(_ status: Status, _ message: String, logDetail: String? = nil) -> WireError {
        WireError(status, nil, message, message, logDetail: logDetail)
    }
}

/// Errors of several routes.
extension WireError {
    /// Every attempt failed because other requests changed the same account concurrently.
    static let aborted = code(.aborted, "Other requests change this account at the same time.")

    /// The operator has disabled phone sign-in for the project.
    static let phoneSignInDisabled = code(
        .operationNotAllowed,
        "Phone sign-in is disabled for this project.",
        logDetail: "phone sign-in is disabled"
    )

    static let displayNameTooLong = code(.invalidProfileAttribute, "Display name too long.")
    static let photoURLTooLong = code(.invalidProfileAttribute, "Photo URL too long.")

    /// The reference emulator's message for a request without a credential.
    static let adminOnly = code(
        .insufficientPermission,
        "Only authenticated requests can specify target_project_id."
    )
}

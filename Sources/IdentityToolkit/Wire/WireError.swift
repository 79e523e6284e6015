internal import Encodings
internal import PhoneAuth

/// An error in the protocol's own envelope. SDKs compare its message byte for byte.
struct WireError: Error, Sendable {
    /// The HTTP status, which the envelope repeats as `code`.
    let httpStatus: Int
    /// The canonical status, such as `INVALID_ARGUMENT`.
    let status: String
    /// The error code, and any detail after ` : `.
    let message: String
    /// The value of `errors[0].reason`; iOS reads it to recognize API key errors.
    let reason: String
    /// The delay before a retry in seconds; sent as the `Retry-After` header.
    var retryAfterSeconds: Int64?
    /// The logged text in place of a message that contains text from outside.
    var loggedMessage: String?
    /// Additional detail for the operator's log. Never a phone number, a code or a token.
    var logDetail: String?

    /// Returns an error for an invalid request: 400 `INVALID_ARGUMENT`.
    static func badRequest(_ message: String, reason: String = "invalid", logDetail: String? = nil) -> WireError {
        WireError(
            httpStatus: 400,
            status: "INVALID_ARGUMENT",
            message: message,
            reason: reason,
            logDetail: logDetail
        )
    }

    /// Returns an error for a body that is not the JSON that the protocol declares.
    static func invalidPayload(_ detail: String) -> WireError {
        badRequest("Invalid JSON payload received. \(detail)")
    }

    static let queryMalformed = badRequest("The query string is malformed.")

    static let missingAPIKey = WireError(
        httpStatus: 403,
        status: "PERMISSION_DENIED",
        message: "The request is missing a valid API key.",
        reason: "forbidden"
    )

    static let unknownAPIKey = badRequest("API key not valid. Please pass a valid API key.", reason: "keyInvalid")

    /// Returns an error for a sender that is not authenticated.
    static func forbidden(logDetail: String) -> WireError {
        WireError(
            httpStatus: 403,
            status: "PERMISSION_DENIED",
            message: "Forbidden",
            reason: "forbidden",
            logDetail: logDetail
        )
    }

    static let notFound = WireError(httpStatus: 404, status: "NOT_FOUND", message: "Not Found", reason: "notFound")

    static let methodNotAllowed = WireError(
        httpStatus: 405,
        status: "INVALID_ARGUMENT",
        message: "The method is not allowed on this path.",
        reason: "httpMethodNotAllowed"
    )

    static func unsupportedContentType(_ expected: String) -> WireError {
        WireError(
            httpStatus: 415,
            status: "INVALID_ARGUMENT",
            message: "The Content-Type must be \(expected).",
            reason: "unsupportedMediaType"
        )
    }

    /// Every attempt failed because other requests changed the same account concurrently.
    static let aborted = WireError(
        httpStatus: 409,
        status: "ABORTED",
        message: "ABORTED : Other requests change this account at the same time.",
        reason: "aborted"
    )

    static let bodyTooLarge = WireError(
        httpStatus: 413,
        status: "INVALID_ARGUMENT",
        message: "The request body is too large.",
        reason: "uploadTooLarge"
    )

    static let headersTooLarge = WireError(
        httpStatus: 431,
        status: "INVALID_ARGUMENT",
        message: "The request has too many or too large headers.",
        reason: "invalidHeader"
    )

    /// The operator has disabled phone sign-in for the project.
    static let phoneSignInDisabled = badRequest(
        "OPERATION_NOT_ALLOWED : Phone sign-in is disabled for this project.",
        logDetail: "phone sign-in is disabled"
    )

    /// Returns a rate-limit error: 400 with a `Retry-After` of at least one second. The detail is only logged.
    static func limited(_ code: String, retryAfter: Duration, logDetail: String) -> WireError {
        let seconds = max(1, (retryAfter.milliseconds + 999) / 1000)
        var error = badRequest(code, logDetail: "\(logDetail), again in \(seconds) s")
        error.retryAfterSeconds = seconds
        return error
    }

    static func internalError(logDetail: String) -> WireError {
        WireError(
            httpStatus: 500,
            status: "INTERNAL",
            message: "Internal error encountered.",
            reason: "backendError",
            logDetail: logDetail
        )
    }

    static func unavailable(logDetail: String) -> WireError {
        WireError(
            httpStatus: 503,
            status: "UNAVAILABLE",
            message: "The service is currently unavailable.",
            reason: "backendError",
            retryAfterSeconds: 1,
            logDetail: logDetail
        )
    }

    /// The envelope. All values in `errors[0]` are strings; otherwise iOS ignores the list.
    var body: [UInt8] {
        JSONWriter.object { json in
            json.object("error") { json in
                json.member("code", Int64(httpStatus))
                json.member("message", message)
                json.array("errors") { json in
                    json.object { json in
                        json.member("message", message)
                        json.member("reason", reason)
                        json.member("domain", "global")
                    }
                }
                json.member("status", status)
            }
        }
    }
}

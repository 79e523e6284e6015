internal import Encodings
internal import PhoneAuth

/// An error in the protocol's own envelope. SDKs compare its words byte for byte.
struct WireError: Error, Sendable {
    /// The HTTP status, which the envelope repeats as `code`.
    let httpStatus: Int
    /// The canonical status, such as `INVALID_ARGUMENT`.
    let status: String
    /// The code, and any detail after ` : `.
    let message: String
    /// What `errors[0].reason` says; iOS reads it to tell API key faults.
    let reason: String
    /// When trying again makes sense, in seconds; becomes a `Retry-After` header.
    var retryAfterSeconds: Int64?
    /// What stands in the operator's log in place of a message that others wrote, and that may hold anything.
    var loggedMessage: String?
    /// What the operator's log adds to the message. No number, code or token.
    var logDetail: String?

    /// A fault of the request: 400 `INVALID_ARGUMENT`.
    static func badRequest(_ message: String, reason: String = "invalid", logDetail: String? = nil) -> WireError {
        WireError(
            httpStatus: 400,
            status: "INVALID_ARGUMENT",
            message: message,
            reason: reason,
            logDetail: logDetail
        )
    }

    /// A body that is not the JSON that the protocol declares.
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

    /// A sender that is not who it says.
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

    /// Other requests changed the same account each time that this one tried.
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

    /// The operator has turned phone sign-in off for the project.
    static let phoneSignInDisabled = badRequest(
        "OPERATION_NOT_ALLOWED : Phone sign-in is disabled for this project.",
        logDetail: "phone sign-in is disabled"
    )

    /// A limit's refusal: 400 with `Retry-After`, at least a second. Its detail goes to the log alone.
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

    /// The envelope. All values of `errors[0]` are strings: iOS ignores the list otherwise.
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

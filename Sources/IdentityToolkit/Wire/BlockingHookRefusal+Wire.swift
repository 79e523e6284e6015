internal import Encodings
internal import PhoneAuth

extension BlockingHookRefusal {
    /// The protocol's error about a blocking function, worded as in the reference emulator. It names only the hook's
    /// host, because the rest of the URL may be the operator's secret.
    var wire: WireError {
        switch self {
        case .busy: .unavailable(logDetail: "as many requests wait for blocking hooks as may")
        case .denied(let denial):
            .blockingFunction(
                400,
                "HTTP request to \(denial.hook) returned HTTP error \(denial.status)"
                    + (denial.explanation.map { ": \($0)" } ?? ""),
                logDetail: "\(denial.event.rawValue): \(denial.hook) denied it with HTTP status \(denial.status)"
            )
        case .failed(let fault, let event, let hook):
            .blockingFunction(
                500,
                fault.words(about: hook),
                logDetail: "\(event.rawValue): \(hook) gave no answer that counts: \(fault.logWords)"
            )
        }
    }
}

extension WireError {
    /// `detail` may contain text from the hook, so only `logDetail` is logged.
    fileprivate static func blockingFunction(_ status: Int, _ detail: String, logDetail: String) -> WireError {
        WireError(
            httpStatus: status,
            status: status == 400 ? "INVALID_ARGUMENT" : "INTERNAL",
            message: "BLOCKING_FUNCTION_ERROR_RESPONSE : ((\(detail)))",
            reason: status == 400 ? "invalid" : "backendError",
            loggedMessage: "BLOCKING_FUNCTION_ERROR_RESPONSE",
            logDetail: logDetail
        )
    }
}

extension BlockingHookFault {
    fileprivate func words(about hook: ServiceURL) -> String {
        switch self {
        case .timedOut: "Deadline exceeded making request to \(hook)."
        case .unreachable: "Failed to make request to \(hook)."
        case .malformed: "Response body is not valid JSON."
        case .updateMaskMissing: "Response UserRecord is missing updateMask."
        case .fieldNotChangeable: "Response updateMask has a field that cannot be changed."
        case .valueWrong(let field): "Response has a malformed \(field)."
        case .claimsRefused(.tooLarge): "Response has too large claims."
        case .claimsRefused(.malformed): "Response has malformed claims."
        case .claimsRefused(.reserved): "Response has a reserved claim."
        }
    }

    fileprivate var logWords: String {
        switch self {
        case .timedOut: "no whole answer within the deadline"
        case .unreachable(let reason): reason
        case .malformed: "it is no JSON object of the agreed form, or too long"
        case .updateMaskMissing: "userRecord has no updateMask"
        case .fieldNotChangeable: "updateMask names what it may not change"
        case .valueWrong(let field): "the value of \(field)"
        case .claimsRefused(.tooLarge): "claims of more than \(CustomClaims.maximumByteCount) bytes"
        case .claimsRefused(.malformed): "claims that are no object"
        case .claimsRefused(.reserved): "a claim with a reserved name"
        }
    }
}

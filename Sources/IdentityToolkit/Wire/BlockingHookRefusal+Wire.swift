internal import Encodings
internal import PhoneAuth

extension BlockingHookRefusal: WireRefusal {
    /// The protocol's error about a blocking function, worded as in the reference emulator. It names only the hook's
    /// host, because the rest of the URL may be the operator's secret.
    var wire: WireError {
        switch self {
        case .busy: .unavailable(logDetail: "too many requests are waiting for blocking hooks")
        case .denied(let denial):
            .code(
                .blockingFunctionErrorResponse,
                "((HTTP request to \(denial.hook) returned HTTP error \(denial.status)"
                    + (denial.explanation.map { ": \($0)" } ?? "") + "))",
                isLogged: false,
                logDetail:
                    "\(denial.event.rawValue): \(denial.hook) denied the operation with HTTP status \(denial.status)"
            )
        case .failed(let fault, let event, let hook):
            .code(
                .blockingFunctionErrorResponse,
                "((\(fault.explanation(about: hook))))",
                isLogged: false,
                status: .internalError,
                logDetail: "\(event.rawValue): \(hook) gave no valid response: \(fault.logDetail)"
            )
        }
    }
}

extension BlockingHookFault {
    fileprivate func explanation(about hook: ServiceURL) -> String {
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

    fileprivate var logDetail: String {
        switch self {
        case .timedOut: "no complete response within the deadline"
        case .unreachable(let reason): reason
        case .malformed: "the body is not a JSON object of the expected form, or too long"
        case .updateMaskMissing: "userRecord has no updateMask"
        case .fieldNotChangeable: "updateMask has a field that cannot be changed"
        case .valueWrong(let field): "\(field) is malformed"
        case .claimsRefused(.tooLarge): "claims of more than \(CustomClaims.maximumByteCount) bytes"
        case .claimsRefused(.malformed): "claims are not a JSON object"
        case .claimsRefused(.reserved): "a claim has a reserved name"
        }
    }
}

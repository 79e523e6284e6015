internal import Encodings

/// The JSON response of all providers: `success`, `hostname` and `error-codes`.
enum ProviderAnswer {
    static func read(status: Int, _ body: [UInt8]) -> ProviderCheckResult {
        guard status < 500, case .object(let answer) = try? JSONValue.parse(body, maximumDepth: 8),
            case .bool(let isSuccess) = answer["success"]
        else { return .unavailable(.malformedAnswer) }
        if isSuccess {
            guard case .string(let hostname) = answer["hostname"] else { return .solved(hostname: nil) }
            return .solved(hostname: hostname)
        }
        var codes: [JSONValue] = []
        if case .array(let elements) = answer["error-codes"] { codes = elements }
        if codes.contains(where: secretCodes.contains) { return .unavailable(.secretRefused) }
        return codes.contains(.string("internal-error")) ? .unavailable(.malformedAnswer) : .notSolved
    }

    private static let secretCodes: [JSONValue] = [
        "missing-input-secret", "invalid-input-secret", "sitekey-secret-mismatch",
    ].map { .string($0) }
}

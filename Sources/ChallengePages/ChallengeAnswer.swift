internal import Encodings

/// What the page, or `verifier.js`, posts to `/__/auth/verify`. Nothing in it is proven yet.
public enum ChallengeAnswer: Sendable, Equatable {
    /// A solution to a proof of work, in base64: `{"solution": "…"}`.
    case solution(String)
    /// What a provider's widget answered: `{"response": "…"}`.
    case providerResponse(String)

    /// Providers' answers take a few thousand bytes at most.
    public static let maximumBytes = 16_384

    /// Returns nil where `body` is too long or no such JSON object.
    public init?(json body: [UInt8]) {
        guard body.count <= Self.maximumBytes, case .object(let object) = try? JSONValue.parse(body, maximumDepth: 4)
        else { return nil }
        switch (object["solution"], object["response"]) {
        case (.string(let solution), nil) where !solution.isEmpty: self = .solution(solution)
        case (nil, .string(let response)) where !response.isEmpty: self = .providerResponse(response)
        default: return nil
        }
    }
}

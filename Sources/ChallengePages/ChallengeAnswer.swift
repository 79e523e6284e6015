internal import Encodings

/// The body that the challenge page or `verifier.js` posts to `/__/auth/verify`, not verified yet.
public enum ChallengeAnswer: Sendable, Equatable {
    /// A proof-of-work solution in base64: `{"solution": "…"}`.
    case solution(String)
    /// The token of a provider's widget: `{"response": "…"}`.
    case providerResponse(String)

    /// The maximum size; providers' tokens have a few thousand bytes at most.
    public static let maximumBytes = 16_384

    /// Parses a body; nil if `body` is too long or not such a JSON object.
    public init?(json body: [UInt8]) {
        guard body.count <= Self.maximumBytes, let object = JSONObject(parsing: body, maximumDepth: 4)
        else { return nil }
        switch (object["solution"], object["response"]) {
        case (.string(let solution), nil) where !solution.isEmpty: self = .solution(solution)
        case (nil, .string(let response)) where !response.isEmpty: self = .providerResponse(response)
        default: return nil
        }
    }
}

import APNsStandIn
import Encodings
import PhoneAuth
import RedisScripts
import Testing

@testable import Delivery

extension APNsTests {
    @Suite struct PushOutcomeTests {
        static let refusals: [(status: Int, reason: String, outcome: PushOutcome)] = [
            (400, "BadCollapseId", .refused(.badCollapseID)),
            (400, "BadExpirationDate", .refused(.badExpirationDate)),
            (400, "BadMessageId", .refused(.badMessageID)),
            (400, "BadPriority", .refused(.badPriority)),
            (400, "BadTopic", .refused(.badTopic)),
            (400, "DeviceTokenNotForTopic", .refused(.deviceTokenNotForTopic)),
            (400, "DuplicateHeaders", .refused(.duplicateHeaders)),
            (400, "IdleTimeout", .retry(after: nil, .answered(.idleTimeout))),
            (400, "InvalidPushType", .refused(.invalidPushType)),
            (400, "MissingDeviceToken", .refused(.missingDeviceToken)),
            (400, "MissingTopic", .refused(.missingTopic)),
            (400, "PayloadEmpty", .refused(.payloadEmpty)),
            (400, "TopicDisallowed", .refused(.topicDisallowed)),
            (403, "BadCertificate", .refused(.badCertificate)),
            (403, "BadCertificateEnvironment", .refused(.badCertificateEnvironment)),
            (403, "BadEnvironmentKeyIdInToken", .refused(.badEnvironmentKeyInToken)),
            (403, "BadEnvironmentKeyInToken", .refused(.badEnvironmentKeyInToken)),
            (403, "ExpiredProviderToken", .refused(.expiredProviderToken)),
            (403, "Forbidden", .refused(.forbidden)),
            (403, "InvalidProviderToken", .refused(.invalidProviderToken)),
            (403, "MissingProviderToken", .refused(.missingProviderToken)),
            (403, "UnrelatedKeyIdInToken", .refused(.unrelatedKeyInToken)),
            (404, "BadPath", .refused(.badPath)),
            (405, "MethodNotAllowed", .refused(.methodNotAllowed)),
            (410, "ExpiredToken", .unregistered(since: nil)),
            (410, "Unregistered", .unregistered(since: nil)),
            (410, "SomethingNew", .unregistered(since: nil)),
            (413, "PayloadTooLarge", .refused(.payloadTooLarge)),
            (429, "TooManyProviderTokenUpdates", .retry(after: nil, .answered(.tooManyProviderTokenUpdates))),
            (429, "TooManyRequests", .retry(after: nil, .answered(.tooManyRequests))),
            (429, "SomethingNew", .retry(after: nil, .answered(.other(status: 429)))),
            (500, "InternalServerError", .retry(after: nil, .answered(.internalServerError))),
            (503, "ServiceUnavailable", .retry(after: nil, .answered(.serviceUnavailable))),
            (503, "Shutdown", .retry(after: nil, .answered(.shutdown))),
            (502, "SomethingNew", .retry(after: nil, .answered(.other(status: 502)))),
            (400, "BadDeviceToken", .badDeviceToken),
            (418, "secret-of-the-example", .refused(.other(status: 418))),
        ]

        @Test("each APNs reason maps to what the caller can do about it")
        func reasons() async throws {
            try await APNsPair.run { pair in
                for (number, refusal) in Self.refusals.enumerated() {
                    let device = Example.device(number)
                    for server in [pair.production, pair.sandbox] {
                        server.answer(device, with: .refused(refusal.status, refusal.reason))
                    }
                    // Each reason has its own key. Otherwise one renewed token would hide the next renewal.
                    let credential = APNsCredential.providerToken(try TestKey().providerTokenKey())
                    let outcome = await pair.push(to: device, as: credential)
                    #expect(outcome == refusal.outcome, "\(refusal.status) \(refusal.reason)")
                }
            }
        }

        @Test("the table contains every known reason")
        func completeTable() {
            let tested = Set(Self.refusals.map(\.reason))
            #expect(Set(APNsReason.spellings.map(\.0)).subtracting(tested) == [])
        }

        @Test("Retry-After is read as seconds and as a date")
        func retryAfter() async throws {
            try await APNsPair.run { pair in
                pair.production.queue(
                    .refused(429, "TooManyRequests", retryAfter: "17"),
                    // The test's clock shows Mon, 21 Sep 2026 14:13:20 GMT.
                    .refused(503, "ServiceUnavailable", retryAfter: "Mon, 21 Sep 2026 14:13:50 GMT"),
                    .refused(503, "ServiceUnavailable", retryAfter: "86401"),
                    .refused(503, "Shutdown", retryAfter: "later")
                )
                #expect(await pair.push() == .retry(after: .seconds(17), .answered(.tooManyRequests)))
                #expect(await pair.push() == .retry(after: .seconds(30), .answered(.serviceUnavailable)))
                #expect(await pair.push() == .retry(after: .seconds(86_400), .answered(.serviceUnavailable)))
                #expect(await pair.push() == .retry(after: nil, .answered(.shutdown)))
            }
        }

        @Test("an outcome for an unregistered device contains the time since which it is unregistered")
        func unregisteredSince() async throws {
            try await APNsPair.run { pair in
                pair.production.queue(.refused(410, "Unregistered", timestamp: 1_789_000_000_123))
                let since = Instant(milliseconds: 1_789_000_000_123)
                #expect(await pair.push() == .unregistered(since: since))
            }
        }

        @Test(
            "a response that is not from APNs is handled by its status",
            arguments: [
                (403, "<html>no</html>", PushOutcome.refused(.other(status: 403))),
                (500, "", .retry(after: nil, .answered(.other(status: 500)))),
                (503, #"{"reason":7}"#, .retry(after: nil, .answered(.other(status: 503)))),
                (400, #"["BadTopic"]"#, .refused(.other(status: 400))),
                (301, "", .refused(.other(status: 301))),
                (400, #"{"reason":"badtopic"}"#, .refused(.other(status: 400))),
            ]
        )
        func foreignAnswers(status: Int, body: String, outcome: PushOutcome) async throws {
            try await APNsPair.run { pair in
                pair.production.queue(.answer(status, body: body))
                #expect(await pair.push() == outcome)
            }
        }

        @Test("a response too long to be from APNs is handled by its status")
        func hugeAnswer() async throws {
            try await APNsPair.run { pair in
                pair.production.queue(.answer(500, body: String(repeating: "x", count: 100_000)))
                #expect(await pair.push() == .retry(after: nil, .answered(.other(status: 500))))
                #expect(await pair.push() == .delivered(.production))
            }
        }
    }
}

import APNsStandIn
import Delivery
import PhoneAuth
import RedisScripts
import Testing

extension APNsTests {
    @Suite struct SecondTryTests {
        static let environmentAnswers: [(first: ScriptedAnswer, second: ScriptedAnswer, outcome: PushOutcome)] = [
            (.refused(400, "BadDeviceToken"), .accepted, .delivered(.sandbox)),
            (.refused(403, "BadEnvironmentKeyInToken"), .accepted, .delivered(.sandbox)),
            (.refused(403, "BadCertificateEnvironment"), .accepted, .delivered(.sandbox)),
            (.refused(400, "BadDeviceToken"), .refused(400, "BadDeviceToken"), .badDeviceToken),
            // With a key for production only, the sandbox's response says nothing about the device.
            (.refused(400, "BadDeviceToken"), .refused(403, "BadEnvironmentKeyInToken"), .badDeviceToken),
            // With a key for the sandbox only and an app from the App Store, the key is at fault.
            (
                .refused(403, "BadEnvironmentKeyInToken"), .refused(400, "BadDeviceToken"),
                .refused(.badEnvironmentKeyInToken)
            ),
            (.refused(400, "BadDeviceToken"), .refused(410, "Unregistered"), .unregistered(since: nil)),
            (
                .refused(400, "BadDeviceToken"), .refused(400, "DeviceTokenNotForTopic"),
                .refused(.deviceTokenNotForTopic)
            ),
            (
                .refused(400, "BadDeviceToken"), .refused(503, "Shutdown", retryAfter: "3"),
                .retry(after: .seconds(3), .answered(.shutdown))
            ),
        ]

        @Test("a push for the wrong environment is retried once in the other one")
        func otherEnvironment() async throws {
            try await APNsPair.run { pair in
                for (number, answers) in Self.environmentAnswers.enumerated() {
                    let device = Example.device(number)
                    pair.production.answer(device, with: answers.first)
                    pair.sandbox.answer(device, with: answers.second)
                    #expect(await pair.push(to: device) == answers.outcome, "row \(number)")
                    #expect(pair.production.pushes.count == number + 1)
                    #expect(pair.sandbox.pushes.count == number + 1)
                }
            }
        }

        @Test("the other environment is production if the sandbox was first")
        func fromSandbox() async throws {
            try await APNsPair.run { pair in
                pair.sandbox.queue(.refused(400, "BadDeviceToken"))
                #expect(await pair.push(tryingFirst: .sandbox) == .delivered(.production))
            }
        }

        @Test("other rejections are not retried in the other environment")
        func onlyOnce() async throws {
            try await APNsPair.run { pair in
                for reason in ["DeviceTokenNotForTopic", "TopicDisallowed", "InvalidProviderToken", "TooManyRequests"] {
                    pair.production.queue(.refused(400, reason))
                    _ = await pair.push()
                }
                #expect(pair.sandbox.pushes.isEmpty)
            }
        }

        @Test("an expired provider token is renewed, and the push is retried once")
        func expiredToken() async throws {
            try await APNsPair.run { pair in
                pair.production.queue(.accepted, .refused(403, "ExpiredProviderToken"), .accepted)
                #expect(await pair.push() == .delivered(.production))
                pair.clock.advance(by: .seconds(30))
                #expect(await pair.push() == .delivered(.production))
                let tokens = pair.production.pushes.map { $0.header("authorization") }
                #expect(tokens.count == 3)
                #expect(tokens[0] == tokens[1])
                #expect(tokens[1] != tokens[2])
            }
        }

        @Test("a token that stays expired indicates a wrong clock, and APNs is not flooded with new tokens")
        func wrongClock() async throws {
            try await APNsPair.run { pair in
                pair.production.answer(Example.device, with: .refused(403, "ExpiredProviderToken"))
                for _ in 0..<5 { #expect(await pair.push() == .refused(.expiredProviderToken)) }
                #expect(pair.production.pushes.count == 6)
                #expect(Set(pair.production.pushes.map { $0.header("authorization") }).count == 2)
                pair.clock.advance(by: .seconds(20 * 60))
                _ = await pair.push()
                #expect(Set(pair.production.pushes.map { $0.header("authorization") }).count == 3)
            }
        }

        @Test("50 pushes rejected with one expired token share one new token")
        func expiredForMany() async throws {
            try await APNsPair.run { pair in
                for number in 0..<50 {
                    pair.production.answer(
                        Example.device(number),
                        with: .refused(403, "ExpiredProviderToken"),
                        .accepted
                    )
                }
                let outcomes = await pair.push(toDevices: 0..<50)
                #expect(outcomes.allSatisfy { $0 == .delivered(.production) })
                #expect(Set(pair.production.pushes.map { $0.header("authorization") }).count == 2)
            }
        }
    }
}

import Encodings
import PhoneAuth
import RedisScripts
import Testing

extension PhoneAuthTests {
    @Suite struct VerifyClientTests {
        let deployment: Deployment
        let authenticator: Authenticator
        let project: Project

        init() throws {
            deployment = try Deployment()
            authenticator = deployment.authenticator(appVerification: .required)
            project = deployment.project
        }

        @Test("a push is queued with its receipt, secret, device and topic")
        func queued() throws {
            let receipt = try #require(authenticator.in(project).verify(sandbox: true).receipt)
            let pushes = try authenticator.takeAll()
            let push = try #require(pushes.first)
            #expect(pushes.count == 1)
            #expect(push.receipt == receipt)
            #expect(push.deviceToken.hexadecimal == DeviceTokens.first.lowercased())
            #expect(push.bundleID.text == "com.example.demo")
            #expect(push.project == "demo-app")
            #expect(push.environment == .sandbox)
            #expect(push.expiresAt == deployment.clock.now + .seconds(5))
            #expect(push.secret.utf8.count == 43)
        }

        @Test("Redis contains neither the secret nor a readable device token")
        func atRest() throws {
            _ = authenticator.in(project).verify()
            let contents = deployment.contents().map { "\($0.key) \($0.value)" }.joined(separator: "\n")
            let push = try #require(try authenticator.takeAll().first)
            #expect(!contents.contains(push.secret))
            #expect(!contents.lowercased().contains(push.deviceToken.hexadecimal))
        }

        @Test(
            "without a token, a registered app or a credential, nothing is queued",
            arguments: [
                ("", "com.example.demo", VerifyClientOutcome.noToken),
                ("xyz", "com.example.demo", .malformedToken), ("a", "com.example.demo", .malformedToken),
                (String(repeating: "ab", count: 101), "com.example.demo", .malformedToken),
                ("ab", "com.example.other", .unknownApp), ("ab", nil, .unknownApp),
                ("ab", "com.example.old", .noCredential),
            ] as [(String, String?, VerifyClientOutcome)]
        )
        func refused(token: String, bundleID: String?, outcome: VerifyClientOutcome) {
            #expect(authenticator.in(project).verify(token: token, from: bundleID) == outcome)
            #expect(deployment.keyNames() == [])
        }

        @Test("a device gets three pushes at once, then one every 20 minutes, and else the challenge page")
        func budget() {
            for _ in 1...3 { #expect(authenticator.in(project).verify().receipt != nil) }
            deployment.clock.advance(by: .seconds(600))
            #expect(authenticator.in(project).verify() == .spent(retryAfter: .seconds(600)))
            #expect(authenticator.in(project).verify(token: DeviceTokens.second).receipt != nil)
            deployment.clock.advance(by: .seconds(600))
            #expect(authenticator.in(project).verify().receipt != nil)
            #expect(authenticator.in(project).verify() == .spent(retryAfter: .seconds(1200)))
        }

        @Test("a network gets a fixed number of silent pushes per hour, then its devices get the challenge page")
        func pushes() throws {
            let deployment = try Deployment { $0.pushesPerNetworkPerHour = 2 }
            let authenticator = deployment.authenticator(appVerification: .required)
            let project = deployment.project
            func verify(_ device: Int, client: Int = 1, request: String? = nil) -> VerifyClientOutcome {
                let token = String(repeating: "\(device)\(device)", count: 32)
                return authenticator.in(project).verify(token: token, client: client, request: request)
            }
            #expect(verify(1).receipt != nil)
            deployment.clock.advance(by: .seconds(60))
            let second = verify(2, request: "same")
            #expect(verify(2, request: "same") == second)
            let before = deployment.contents()
            #expect(verify(3) == .networkSpent(retryAfter: .seconds(1740)))
            #expect(deployment.contents() == before)
            #expect(verify(3, client: 2).receipt != nil)
            deployment.clock.advance(by: .seconds(1740))
            #expect(verify(4).receipt != nil)
        }

        @Test("a device token is case-insensitive")
        func cases() {
            for token in [DeviceTokens.first, DeviceTokens.first.lowercased(), DeviceTokens.first] {
                #expect(authenticator.in(project).verify(token: token).receipt != nil)
            }
            #expect(authenticator.in(project).verify().receipt == nil)
        }

        @Test("a repeated request gets the same receipt and queues no second push")
        func repeated() throws {
            let first = authenticator.in(project).verify(request: "same")
            #expect(authenticator.in(project).verify(request: "same") == first)
            #expect(try authenticator.takeAll().count == 1)
        }

        @Test("a device without the app goes straight to the challenge page for a day")
        func unreachable() throws {
            _ = authenticator.in(project).verify()
            for push in try authenticator.takeAll() { try authenticator.finish(push, .unreachable) }
            #expect(authenticator.in(project).verify() == .unreachable)
            deployment.clock.advance(by: .seconds(86_400))
            #expect(authenticator.in(project).verify().receipt != nil)
        }

        @Test(
            "a token unknown to APNs leads straight to the challenge page for an hour, and nothing is stored longer"
        )
        func badToken() throws {
            func longestLife() throws -> Int {
                let names = deployment.keyNames(matching: "dt:{*").filter { !$0.contains(":push-") }
                #expect(!names.isEmpty)
                return try names.map { try #require(Int(deployment.cli("TTL", $0))) }.max() ?? 0
            }
            _ = authenticator.in(project).verify()
            #expect(try longestLife() <= 3600)
            for push in try authenticator.takeAll() { try authenticator.finish(push, .badToken) }
            #expect(try longestLife() <= 3600)
            #expect(authenticator.in(project).verify() == .unreachable)
            deployment.clock.advance(by: .seconds(3600))
            #expect(authenticator.in(project).verify().receipt != nil)
        }

        @Test(
            "a network that submits too many bad tokens is paused, but other networks and known devices are not"
        )
        func badTokens() throws {
            func token(_ index: Int) -> String { String(repeating: "c", count: 60) + "\(1000 + index)" }
            _ = authenticator.in(project).verify()
            for push in try authenticator.takeAll() { try authenticator.finish(push, .delivered(.production)) }
            for index in 0..<15 { #expect(authenticator.in(project).verify(token: token(index)).receipt != nil) }
            // None of the 15 has a result yet.
            let early = authenticator.in(project).verify(token: token(15))
            #expect(early == .unprovenSpent(retryAfter: .seconds(65)))
            for push in try authenticator.takeAll() { try authenticator.finish(push, .badToken) }
            let refused = authenticator.in(project).verify(token: token(15))
            #expect(refused == .unprovenSpent(retryAfter: .seconds(3600)))
            #expect(authenticator.in(project).verify(token: token(15), client: 2).receipt != nil)
            #expect(authenticator.in(project).verify().receipt != nil, "a device that is known")
        }

        @Test("pushes that were delivered, or failed for other reasons, do not count as bad tokens")
        func releasedPushes() throws {
            for round in 0..<3 {
                for index in 0..<15 {
                    let token = String(repeating: "d", count: 60) + "\(1000 + 20 * round + index)"
                    #expect(authenticator.in(project).verify(token: token).receipt != nil)
                }
                let result: PushResult = [.delivered(.production), .late, .unreachable][round]
                for push in try authenticator.takeAll() { try authenticator.finish(push, result) }
            }
        }

        @Test(
            "an app is paused if APNs refuses devices of several networks, but not of a single one"
        )
        func doubtfulPushes() throws {
            func refuse(client: Int) throws {
                let token = String(repeating: "e", count: 60) + "\(1000 + client)"
                _ = authenticator.in(project).verify(token: token, client: client)
                for push in try authenticator.takeAll() { try authenticator.finish(push, .doubtful) }
            }
            for _ in 0..<6 { try refuse(client: 1) }
            for client in 2...4 { try refuse(client: client) }
            _ = authenticator.in(project).verify(client: 9)
            for push in try authenticator.takeAll() { try authenticator.finish(push, .delivered(.production)) }
            for client in 5...8 { try refuse(client: client) }
            let settings = deployment.authenticator(appVerification: .required)
            #expect(settings.in(project).verify(token: DeviceTokens.second, client: 10).receipt != nil)
            try refuse(client: 11)
            let later = deployment.authenticator(appVerification: .required)
            #expect(later.in(project).verify(token: DeviceTokens.second, client: 10) == .refused)
        }

        @Test("an app whose pushes APNs refuses goes straight to the challenge page for a minute")
        func refusedPushes() throws {
            _ = authenticator.in(project).verify()
            for push in try authenticator.takeAll() { try authenticator.finish(push, .refused) }
            #expect(authenticator.in(project).verify(token: DeviceTokens.second) == .refused)
            deployment.clock.advance(by: .seconds(60))
            #expect(authenticator.in(project).verify(token: DeviceTokens.second).receipt != nil)
        }
    }
}

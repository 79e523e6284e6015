import Encodings
import PhoneAuth
import RedisScripts
import Testing

extension PhoneAuthTests {
    @Suite struct DispatchPushesTests {
        let deployment: Deployment
        let authenticator: Authenticator
        let project: Project

        init() throws {
            deployment = try Deployment()
            authenticator = deployment.authenticator(appVerification: .required)
            project = deployment.project
        }

        @Test("the APNs environment that accepted a device is tried first afterwards")
        func rememberedEnvironment() throws {
            _ = authenticator.in(project).verify(sandbox: false)
            for push in try authenticator.takeAll() { try authenticator.finish(push, .delivered(.sandbox)) }
            _ = authenticator.in(project).verify(sandbox: false)
            #expect(try authenticator.takeAll().map(\.environment) == [.sandbox])
        }

        @Test("each push goes to one dispatcher, and pushes of a dead dispatcher go to another")
        func takenOver() throws {
            for token in [DeviceTokens.first, DeviceTokens.second] {
                _ = authenticator.in(project).verify(token: token)
            }
            let taken = try authenticator.takeAll(for: "one")
            #expect(taken.count == 2)
            #expect(try authenticator.takeAll(for: "two").isEmpty)
            #expect(try authenticator.takeAbandoned(PendingPush.self, for: "two", untouchedFor: .seconds(60)).isEmpty)
            let inherited = try authenticator.takeAbandoned(PendingPush.self, for: "two", untouchedFor: .zero)
            #expect(Set(inherited.map(\.receipt)) == Set(taken.map(\.receipt)))
            for push in inherited { try authenticator.finish(push, .late) }
            #expect(try authenticator.takeAbandoned(PendingPush.self, for: "one", untouchedFor: .zero).isEmpty)
        }

        @Test("delivered pushes and returned receipts are counted per app and environment")
        func counts() throws {
            for token in [DeviceTokens.first, DeviceTokens.second] {
                _ = authenticator.in(project).verify(token: token)
            }
            let pushes = try authenticator.takeAll()
            for push in pushes { try authenticator.finish(push, .delivered(.sandbox)) }
            let push = try #require(pushes.first)
            let credential = AppCredential.pushReceipt(receipt: push.receipt, secret: push.secret)
            for client in 1...2 {
                let sent = authenticator.in(project).send(
                    to: "+1650555015\(client)",
                    provenBy: credential,
                    from: push.bundleID.text,
                    request: "\(client)"
                )
                #expect(sent.outcome == .opened)
            }
            let counts = try authenticator.in(project).pushCounts(days: 7)
            #expect(
                Set(counts.map { "\($0.bundleID) \($0.environment) \($0.event) \($0.count)" }) == [
                    "com.example.demo sandbox sent 2", "com.example.demo sandbox returned 1",
                ]
            )
        }
    }
}

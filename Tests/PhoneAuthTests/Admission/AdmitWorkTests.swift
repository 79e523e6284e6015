import RedisScripts
import Testing

@testable import PhoneAuth

extension PhoneAuthTests {
    @Suite struct AdmitWorkTests {
        @Test("accounts are created if maxmemory is the largest value that Redis accepts")
        func largestMemory() throws {
            let deployment = try Deployment()
            #expect(deployment.cli("CONFIG", "SET", "maxmemory", "9223372036854775807").hasPrefix("OK"))
            let requester = Requester(actor: .user, requestID: "request", clientAddress: "192.0.2.7")
            let authenticator = deployment.authenticator().working(for: requester)
            #expect(try authenticator.store.memoryUse()?.maximumBytes == .max)
            let user = try authenticator.in(deployment.projectWithEverything).signUpAnonymously()
            #expect(deployment.accountKey(of: user.account.uid) != nil)
        }
    }
}

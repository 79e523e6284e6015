import PhoneAuth
import RedisScripts
import Testing

extension PhoneAuthTests {
    @Suite struct RevokePushReceiptsTests: AppVerificationSuite {
        let deployment: Deployment
        let authenticator: Authenticator
        let project: Project
        let number = "+16505550160"

        init() throws {
            deployment = try Deployment()
            authenticator = deployment.authenticator(appVerification: .required)
            project = deployment.project
        }

        @Test("an operator revokes one receipt, or all receipts of an app issued so far")
        func revoked() throws {
            let first = try receivedPush()
            #expect(send(first.receipt, first.secret).outcome == .opened)
            #expect(try authenticator.in(project).revokePushReceipt(first.receipt))
            #expect(try !authenticator.in(project).revokePushReceipt(first.receipt))
            #expect(try !authenticator.in(project).revokePushReceipt("nonsense"))
            #expect(send(first.receipt, first.secret) == .notProven(.invalid(.receiptUnknown)))

            let second = try receivedPush()
            try authenticator.in(project).revokePushReceipts(of: .demo)
            #expect(send(second.receipt, second.secret) == .notProven(.invalid(.receiptUnknown)))
            deployment.clock.advance(by: .milliseconds(1))
            let third = try receivedPush()
            #expect(send(third.receipt, third.secret).outcome != nil)
        }
    }
}

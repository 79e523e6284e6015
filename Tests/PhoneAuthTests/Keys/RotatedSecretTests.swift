import Encodings
import RedisScripts
import Testing

@testable import PhoneAuth

extension PhoneAuthTests {
    /// Sessions and accounts after a rotation.
    @Suite struct RotatedSecretTests {
        @Test("sessions, resends and accounts survive a rotation, and new sessions use the new secrets")
        func sessions() throws {
            let deployment = try Deployment()
            let (authenticator, project) = (deployment.authenticator(), deployment.project)
            let first = try authenticator.in(project).signIn("+16505550171")
            let open = try authenticator.in(project).session(for: "+16505550172")
            let code = try authenticator.in(project).code(of: open)
            let rotated = try KeyFile.rotateSecrets(TestKeys.file(), after: .zero, deployment.clock.environment)
            deployment.clock.advance(by: .seconds(61))
            _ = try deployment.keys.adopt(KeyFile.parse(rotated.text), at: deployment.clock.now)

            // A repeated send returns the same session, whose code is the one in the message.
            #expect(authenticator.in(project).send(to: "+16505550172").sessionInfo == open)
            #expect(try authenticator.in(project).code(of: open) == code)
            #expect(authenticator.in(project).answer(open, code, request: "1").uid != nil)

            let again = try authenticator.in(project).signIn("+16505550171")
            #expect(again.uid == first.uid)
            #expect(try authenticator.in(project).exchangeRefreshToken(first.refreshToken).uid == first.uid)
            let session = try authenticator.in(project).session(for: "+16505550173")
            let bytes = try #require(Base64URL.decode(session.utf8))
            #expect(bytes[18] == 2)
        }
    }
}

import Encodings
import Testing

@testable import PhoneAuth

/// Suites in which users enroll second factors and prove them.
protocol SecondFactorSuite {
    var deployment: Deployment { get }
    var authenticator: Authenticator { get }
    var project: Project { get }
}

extension SecondFactorSuite {
    func wait(_ seconds: Int64) { deployment.clock.advance(by: .seconds(seconds)) }

    /// Submits the code of an app, or a recovery code.
    func finish(
        _ id: String,
        _ code: String,
        _ challenge: SecondFactorChallenge,
        request: String
    ) -> SecondFactorOutcome {
        authenticator.outcome { () throws(SecondFactorRefusal) in
            try authenticator.in(project).finish(.totp(secondFactorID: id, code: code), challenge, request: request)
        }
    }

    /// Returns the current code of an app.
    func now(_ secret: TOTPSecret) -> String {
        secret.code(at: TOTPSecret.step(at: deployment.clock.now))
    }
}

extension Deployment {
    /// Creates a deployment with a project whose users may enroll second factors.
    static func withSecondFactors() throws -> (Deployment, Authenticator, Project) {
        let (deployment, _) = try Deployment.ofManyMessages()
        let authenticator = deployment.authenticator(passwordHashing: try TestPasswordHashing.make())
        return (deployment, authenticator, deployment.project(secondFactors: .optional))
    }
}

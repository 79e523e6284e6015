import Encodings
import TestServers
import Testing

/// Operations that enroll, prove and withdraw second factors.
extension AccountOperation {
    static let bySecondFactor = [
        AccountOperation("enrolment of a phone as a second factor", isRepeatable: false) { test in
            let (user, number) = (try SecondFactorUser(test.server), test.newNumber())
            return Attempt(
                request: try user.preparedEnrollment(of: number),
                again: {
                    // If the enrollment succeeded, the sign-in already asks for the phone.
                    let first = try user.signIn()
                    guard first["idToken"] != nil else { return try user.preparedSignIn()() }
                    var again = user
                    _ = try again.take(first)
                    return try again.preparedEnrollment(of: number)()
                },
                check: { answer in
                    #expect(answer["idToken"] != nil)
                    let first = try user.signIn()
                    #expect(first["localId"] == user.uid && first["idToken"] == nil)
                    #expect(first.json.objects("mfaInfo").count == 1)
                    #expect(try user.preparedSignIn()().status == 200)
                },
                kept: [user.uid],
                accountsMade: 0
            )
        },
        AccountOperation("sign-in with a phone as a second factor", isRepeatable: true) { test in
            var user = try SecondFactorUser(test.server)
            try user.enroll(test.newNumber())
            let enrolled = user
            return Attempt(
                request: try enrolled.preparedSignIn(),
                again: { try enrolled.preparedSignIn()() },
                check: { answer in
                    let found = try test.server.lookUp(try #require(answer["idToken"])).json.objects("users")
                    #expect(found.map { $0.text("localId") } == [enrolled.uid])
                },
                kept: [enrolled.uid],
                accountsMade: 0
            )
        },
    ]
}

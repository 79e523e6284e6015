import Encodings
import TestServers
import Testing

/// Operations by which second factors come to accounts and sign in.
extension AccountOperation {
    static let bySecondFactor = [
        AccountOperation("enrolment of a phone as a second factor", isRepeatable: false) { test in
            let (server, number, email) = (test.server, test.newNumber(), test.newEmail())
            let user = try server.verifiedUser(email)
            let uid = try #require(user["localId"])
            return Attempt(
                request: try server.preparedEnrollment(of: number, try #require(user["idToken"])),
                again: {
                    // Where it was done, sign-in asks for the phone by now.
                    let first = try server.signIn(email: email)
                    guard let idToken = first["idToken"] else { return try server.proveSecondFactor(first)() }
                    return try server.preparedEnrollment(of: number, idToken)()
                },
                check: { answer in
                    #expect(answer["idToken"] != nil)
                    let first = try server.signIn(email: email)
                    #expect(first["localId"] == uid && first["idToken"] == nil)
                    #expect(try server.secondFactorIDs(first).count == 1)
                    #expect(try server.proveSecondFactor(first)().status == 200)
                },
                kept: [uid],
                accountsMade: 0
            )
        },
        AccountOperation("sign-in with a phone as a second factor", isRepeatable: true) { test in
            let (server, number, email) = (test.server, test.newNumber(), test.newEmail())
            let user = try server.verifiedUser(email)
            let uid = try #require(user["localId"])
            let enrolled = try server.preparedEnrollment(of: number, try #require(user["idToken"]))()
            #expect(enrolled.status == 200, "\(enrolled.errorMessage ?? "")")
            let prepared = { try server.proveSecondFactor(try server.signIn(email: email)) }
            return Attempt(
                request: try prepared(),
                again: { try prepared()() },
                check: { answer in
                    let lookup = try server.lookUp(try #require(answer["idToken"]))
                    #expect(lookup.text.contains(#""localId":"\#(uid)""#))
                },
                kept: [uid],
                accountsMade: 0
            )
        },
    ]
}

extension RunningServer {
    /// A user with a password whose address is verified.
    fileprivate func verifiedUser(_ email: String) throws -> HTTPAnswer {
        let user = try signUp(email)
        let answer = try post(
            "/v1/projects/demo-dialtone/accounts:update",
            #"{"localId":"\#(try #require(user["localId"]))","emailVerified":true}"#,
            headers: [("Authorization", "Bearer owner")]
        )
        #expect(answer.status == 200, "\(answer.errorMessage ?? "")")
        return user
    }

    /// The request that finishes a phone's enrolment; the code is looked up beforehand.
    fileprivate func preparedEnrollment(of number: String, _ idToken: String) throws -> () throws -> HTTPAnswer {
        let started = try post(
            "/v2/accounts/mfaEnrollment:start",
            #"{"idToken":"\#(idToken)","phoneEnrollmentInfo":{"phoneNumber":"\#(number)","recaptchaToken":"t"}}"#
        )
        let session = try started.text("phoneSessionInfo", "sessionInfo")
        let body = """
            {"idToken":"\(idToken)","phoneVerificationInfo":{"sessionInfo":"\(session)","code":"\(try code(of: session))"}}
            """
        return { try self.post("/v2/accounts/mfaEnrollment:finalize", body) }
    }

    fileprivate func secondFactorIDs(_ firstFactor: HTTPAnswer) throws -> [String] {
        guard case .array(let factors) = firstFactor.json["mfaInfo"] else { return [] }
        return try factors.map { factor in
            guard case .object(let object) = factor, case .string(let id) = object["mfaEnrollmentId"] else {
                throw ServerFailure(description: "a second factor without id")
            }
            return id
        }
    }

    /// The request that proves the phone that a first factor's answer asks for.
    fileprivate func proveSecondFactor(_ firstFactor: HTTPAnswer) throws -> () throws -> HTTPAnswer {
        let pending = try #require(firstFactor["mfaPendingCredential"])
        let id = try #require(try secondFactorIDs(firstFactor).first)
        let started = try post(
            "/v2/accounts/mfaSignIn:start",
            #"{"mfaPendingCredential":"\#(pending)","mfaEnrollmentId":"\#(id)","phoneSignInInfo":{"recaptchaToken":"t"}}"#
        )
        let session = try started.text("phoneResponseInfo", "sessionInfo")
        let body = """
            {"mfaPendingCredential":"\(pending)",\
            "phoneVerificationInfo":{"sessionInfo":"\(session)","code":"\(try code(of: session))"}}
            """
        return { try self.post("/v2/accounts/mfaSignIn:finalize", body) }
    }
}

extension HTTPAnswer {
    /// The text that the names lead to.
    fileprivate func text(_ path: String...) throws -> String {
        guard case .string(let text) = json[path: path] else {
            throw ServerFailure(description: "no \(path.joined(separator: ".")): \(errorMessage ?? "")")
        }
        return text
    }
}

import Encodings
import Glibc
import TestServers
import Testing

/// The pending credential of a proven first factor, its end, and recovery codes.
@Suite(
    .sharedServer {
        try RunningServer(workers: 2, settings: ["PROJECT_DEMO_DIALTONE_TOTP_ADJACENT_INTERVALS": "10"])
    }
)
struct PendingCredentialTests {
    let server: RunningServer

    init() throws {
        server = try #require(SharedServer.current)
    }

    /// Events that end the pending credential.
    enum Event: CaseIterable {
        case passwordByUser, passwordByOperator, revocation, disabling, deletion, withdrawal, anotherFactor
    }

    @Test("a pending credential ends with the account state for which it was issued", arguments: Event.allCases)
    func ends(event: Event) throws {
        var ada = try SecondFactorUser(server)
        let phone = try ada.enroll(SecondFactorUser.freshNumber())
        let (id, app) = try ada.enrollApp(stepsAgo: 9)
        // The script compares seconds, so an event in the second of the last enrollment would not be noticed.
        let other = try #require(Int64(try ada.lookUp().text("validSince"))) + 1
        _ = eventually { time(nil) > other }
        let pending = try ada.pendingCredential()
        let session = try server.openSecondFactor(pending, phone)
        let code = try server.code(of: session)
        let account = #""localId":"\#(ada.uid)""#
        let answer: HTTPAnswer
        switch event {
        case .passwordByUser:
            answer = try server.post(
                "/v1/accounts:update",
                #"{"idToken":"\#(ada.idToken)","password":"battery staple"}"#
            )
        case .passwordByOperator:
            answer = try server.administer("update", #"{\#(account),"password":"battery staple"}"#)
        case .revocation:
            answer = try server.administer("update", #"{\#(account),"validSince":"\#(other)"}"#)
        case .disabling: answer = try server.administer("update", #"{\#(account),"disableUser":true}"#)
        case .deletion: answer = try server.administer("delete", "{\(account)}")
        case .withdrawal: answer = try server.withdraw(phone, ada.idToken)
        case .anotherFactor:
            try ada.enroll(SecondFactorUser.freshNumber())
            answer = try server.lookUp(ada.idToken)
        }
        #expect(answer.status == 200, "\(answer.text)")
        for refused in [
            try server.startSecondFactor(pending, phone), try server.finishPhone(pending, session, code),
            try server.finishApp(pending, id, app.code()),
        ] {
            let expected = event == .disabling ? "USER_DISABLED" : "INVALID_MFA_PENDING_CREDENTIAL"
            #expect(refused.errorMessage == expected)
        }
    }

    @Test("until a pending credential expires, new proofs sign in again, and no proof works twice")
    func again() throws {
        var ada = try SecondFactorUser(server)
        let (id, app) = try ada.enrollApp(stepsAgo: 9)
        let pending = try ada.pendingCredential()
        for step in [-5, -2, 1] as [Int64] {
            let code = app.code(step)
            #expect(try server.finishApp(pending, id, code)["idToken"] != nil)
            #expect(try server.finishApp(pending, id, code).errorMessage == "INVALID_CODE")
        }
    }

    @Test("a pending credential is accepted for nothing else, and no other token is accepted in its place")
    func singlePurpose() throws {
        var ada = try SecondFactorUser(server)
        let id = try ada.enroll(SecondFactorUser.freshNumber())
        let pending = try ada.pendingCredential()
        #expect(try server.lookUp(pending).errorMessage == "INVALID_ID_TOKEN")
        #expect(try server.refresh(pending).errorMessage == "INVALID_REFRESH_TOKEN")
        #expect(try server.signIn(pending, "123456").errorMessage == "INVALID_SESSION_INFO")
        #expect(try server.finishPhone(pending, pending, "123456").errorMessage == "INVALID_SESSION_INFO")
        for text in [ada.refreshToken, ada.idToken, try server.openSecondFactor(pending, id), pending + "A"] {
            #expect(try server.startSecondFactor(text, id).errorMessage == "INVALID_MFA_PENDING_CREDENTIAL")
        }
    }

    @Test("a recovery code replaces any factor once, until new codes are generated")
    func recoveryCodes() throws {
        var ada = try SecondFactorUser(server)
        let none = try server.secondFactors("mfaRecoveryCodes:generate", #"{"idToken":"\#(ada.idToken)"}"#)
        #expect(none.errorMessage == "MFA_ENROLLMENT_NOT_FOUND")
        #expect(try server.secondFactors("mfaRecoveryCodes:generate", "{}").errorMessage == "MISSING_ID_TOKEN")
        let phone = try ada.enroll(SecondFactorUser.freshNumber())
        let (app, _) = try ada.enrollApp()
        let old = try ada.makeRecoveryCodes()
        let codes = try ada.makeRecoveryCodes()
        #expect(codes.count == 10 && Set(old + codes).count == 20)
        #expect(codes.allSatisfy { $0.wholeMatch(of: /[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}/) != nil })
        #expect(try server.finishApp(try ada.pendingCredential(), app, old[0]).errorMessage == "INVALID_CODE")
        for (index, code) in codes.enumerated() {
            let pending = try ada.pendingCredential()
            // Users type recovery codes in any form. In place of a message's code, the session does not matter.
            let typed = index % 2 == 0 ? code.lowercased().replacing("-", with: " ") : code
            let id = index == 1 ? "any" : app
            func finish() throws -> HTTPAnswer {
                index % 3 == 0
                    ? try server.finishPhone(pending, "x", typed) : try server.finishApp(pending, id, typed)
            }
            let finished = try finish()
            let firebase = try idTokenClaims(try #require(finished["idToken"], "\(finished.text)")).object("firebase")
            #expect(firebase.text("sign_in_second_factor") == "recovery_code")
            #expect(firebase["second_factor_identifier"] == nil)
            #expect(try finish().errorMessage == "INVALID_CODE")
        }
        var bob = try SecondFactorUser(server)
        let (bobs, _) = try bob.enrollApp()
        let fresh = try ada.makeRecoveryCodes()
        #expect(try server.finishApp(try bob.pendingCredential(), bobs, fresh[0]).errorMessage == "INVALID_CODE")
        for id in [phone, app] { try ada.take(try server.withdraw(id, ada.idToken)) }
        let (again, _) = try ada.enrollApp()
        #expect(try server.finishApp(try ada.pendingCredential(), again, fresh[0]).errorMessage == "INVALID_CODE")
    }
}

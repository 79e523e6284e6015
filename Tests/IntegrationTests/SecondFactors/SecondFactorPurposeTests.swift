import Encodings
import Glibc
import TestServers
import Testing

/// The purposes of a message's code, and users who get no message.
@Suite(.sharedServer) struct SecondFactorPurposeTests {
    let server: RunningServer

    init() throws {
        server = try #require(SharedServer.current)
    }

    private static let unsupported =
        "UNSUPPORTED_FIRST_FACTOR : A phone number cannot be set as a first factor on an SMS based MFA user."

    @Test("a session is unknown for any purpose other than its own")
    func purposes() throws {
        let number = SecondFactorUser.freshNumber()
        var ada = try SecondFactorUser(server)
        var bob = try SecondFactorUser(server)
        let first = try ada.enroll(number)
        let second = try ada.enroll(SecondFactorUser.freshNumber())
        try bob.enroll(number)
        let pending = try ada.pendingCredential()
        let bobsPending = try bob.pendingCredential()

        let signIn = try server.openVerification(SecondFactorUser.freshNumber())
        let enrollment = try ada.openEnrollment(SecondFactorUser.freshNumber())
        let proof = try server.openSecondFactor(pending, second)
        let codes = try [signIn, enrollment, proof].map { try server.code(of: $0) }

        func enroll(_ user: SecondFactorUser, _ session: String, _ code: String) throws -> HTTPAnswer {
            try user.finishEnrollment(#""phoneVerificationInfo":{"sessionInfo":"\#(session)","code":"\#(code)"}"#)
        }
        for answer in [
            try server.signIn(enrollment, codes[1]), try server.signIn(proof, codes[2]),
            try enroll(ada, signIn, codes[0]), try enroll(ada, proof, codes[2]), try enroll(bob, enrollment, codes[1]),
            try server.finishPhone(pending, signIn, codes[0]), try server.finishPhone(pending, enrollment, codes[1]),
            try server.finishPhone(bobsPending, proof, codes[2]),
        ] { #expect(answer.errorMessage == "INVALID_SESSION_INFO") }
        // These requests used no attempts, and each session is valid for its own purpose.
        #expect(try server.signIn(signIn, codes[0]).status == 200)
        let finished = try server.finishPhone(pending, proof, codes[2])
        let firebase = try idTokenClaims(try #require(finished["idToken"])).object("firebase")
        #expect(firebase.text("second_factor_identifier") == second && first != second)
        #expect(try enroll(ada, enrollment, codes[1]).status == 200)
    }

    @Test("a user with second factors gets no sign-in code by phone and cannot link a number")
    func firstFactor() throws {
        let number = SecondFactorUser.freshNumber()
        let byPhone = try server.signInFresh(number)
        let email = SecondFactorUser.freshEmail()
        let linked = try server.post(
            "/v1/accounts:signUp",
            #"{"idToken":"\#(try #require(byPhone["idToken"]))","email":"\#(email)","password":"correct horse"}"#
        )
        let uid = try #require(linked["localId"])
        #expect(try server.administer("update", #"{"localId":"\#(uid)","emailVerified":true}"#).status == 200)
        let early = try server.openVerification(number)
        let signIn = #"{"email":"\#(email)","password":"correct horse","returnSecureToken":true}"#
        var idToken = try #require(try server.post("/v1/accounts:signInWithPassword", signIn)["idToken"])
        let started = try server.secondFactors(
            "mfaEnrollment:start",
            #"{"idToken":"\#(idToken)","phoneEnrollmentInfo":{"phoneNumber":"\#(SecondFactorUser.freshNumber())"}}"#
        )
        let session = started.json.object("phoneSessionInfo").text("sessionInfo")
        let enrolled = try server.secondFactors(
            "mfaEnrollment:finalize",
            #"{"idToken":"\#(idToken)","phoneVerificationInfo":{"sessionInfo":"\#(session)","code":"\#(try server.code(of: session))"}}"#
        )
        idToken = try #require(enrolled["idToken"])
        #expect(try server.sendVerificationCode(number, from: "127.0.0.2").errorMessage == Self.unsupported)
        #expect(try server.signIn(early, try server.code(of: early)).errorMessage == Self.unsupported)
        let other = try server.openVerification(SecondFactorUser.freshNumber())
        let link = try server.post(
            "/v1/accounts:signInWithPhoneNumber",
            #"{"sessionInfo":"\#(other)","code":"\#(try server.code(of: other))","idToken":"\#(idToken)"}"#
        )
        #expect(link.errorMessage == Self.unsupported)
    }

    @Test("users of custom tokens without an e-mail address can enroll, and their tokens say so")
    func customToken() throws {
        let header = Base64URL.string(Array(#"{"alg":"none","typ":"JWT"}"#.utf8))
        let uid = "custom-\(SecondFactorUser.freshNumber().dropFirst())"
        let audience = "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit"
        let now = time(nil)
        let payload = Base64URL.string(
            Array(#"{"aud":"\#(audience)","iat":\#(now),"exp":\#(now + 3600),"uid":"\#(uid)"}"#.utf8)
        )
        let signedIn = try server.post(
            "/v1/accounts:signInWithCustomToken",
            #"{"token":"\#(header).\#(payload).","returnSecureToken":true}"#
        )
        let idToken = try #require(signedIn["idToken"], "\(signedIn.text)")
        let started = try server.secondFactors(
            "mfaEnrollment:start",
            #"{"idToken":"\#(idToken)","totpEnrollmentInfo":{}}"#
        ).json.object("totpSessionInfo")
        let app = try #require(AuthenticatorApp(started.text("sharedSecretKey")))
        let info = #"{"sessionInfo":"\#(started.text("sessionInfo"))","verificationCode":"\#(app.code())"}"#
        let enrolled = try server.secondFactors(
            "mfaEnrollment:finalize",
            #"{"idToken":"\#(idToken)","totpVerificationInfo":\#(info)}"#
        )
        let firebase = try idTokenClaims(try #require(enrolled["idToken"], "\(enrolled.text)")).object("firebase")
        #expect(firebase.text("sign_in_provider") == "custom" && firebase.text("sign_in_second_factor") == "totp")
    }
}

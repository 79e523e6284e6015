import Encodings
import TestServers
import Testing

/// The operations on a user's own account, through the whole server and on each of their paths.
@Suite(.sharedServer) struct AccountTests {
    let server: RunningServer

    init() throws {
        server = try #require(SharedServer.current)
    }

    private func text(_ answer: HTTPAnswer, _ name: String) throws -> String { try #require(answer[name]) }

    /// Links a number, or signs in with it. `extra` are additional members of the request.
    private func prove(_ number: String, _ extra: String = "", legacy: Bool = false) throws -> HTTPAnswer {
        let session = try server.openVerification(number)
        let path =
            legacy
            ? "/www.googleapis.com/identitytoolkit/v3/relyingparty/verifyPhoneNumber"
            : "/v1/accounts:signInWithPhoneNumber"
        return try server.post(
            path,
            #"{"sessionInfo":"\#(session)","code":"\#(try server.code(of: session))"\#(extra)}"#
        )
    }

    private func user(_ idToken: String) throws -> JSONObject {
        guard case .array(let users) = try server.lookUp(idToken).json["users"], case .object(let user) = users.first
        else {
            throw ServerFailure(description: "no user")
        }
        return user
    }

    @Test("golden 15: reauthentication with an unknown number finds no user and creates none")
    func reauthentication() throws {
        let idToken = try text(try server.signInFresh("+16505550190"), "idToken")
        for extra in [#","idToken":"\#(idToken)""#, ""] {
            let answer = try prove("+16505550191", #","operation":"REAUTH"\#(extra)"#, legacy: extra.isEmpty)
            #expect(answer.errorMessage == "USER_NOT_FOUND")
            #expect(answer.status == 400)
        }
        let again = try prove("+16505550190", #","operation":"REAUTH""#)
        #expect(again.json["isNewUser"] == .bool(false))
        #expect(try prove("+16505550191").json["isNewUser"] == .bool(true))
    }

    @Test("golden 16 to 18: another account's number gives a proof that signs in to that account but cannot link")
    func temporaryProof() throws {
        let owner = try server.signInFresh("+16505550192")
        let idToken = try text(try server.signInFresh("+16505550193"), "idToken")
        for operation in ["", #","operation":"LINK""#, #","operation":"UPDATE""#, #","operation":"SIGN_UP_OR_IN""#] {
            let answer = try prove("+16505550192", #","idToken":"\#(idToken)"\#(operation)"#)
            #expect(answer.status == 200)
            #expect(
                Set(answer.json.members.map(\.name)) == ["phoneNumber", "temporaryProof", "temporaryProofExpiresIn"]
            )
            #expect(answer["phoneNumber"] == "+16505550192")
            #expect(answer["temporaryProofExpiresIn"] == "3600")
            let proof = #""phoneNumber":"+16505550192","temporaryProof":"\#(try text(answer, "temporaryProof"))""#
            #expect(!server.log.contains(try text(answer, "temporaryProof")))
            let path = "/v1/accounts:signInWithPhoneNumber"
            let linked = try server.post(path, #"{\#(proof),"idToken":"\#(idToken)"}"#)
            #expect(linked.errorMessage == "PHONE_NUMBER_EXISTS")
            let signedIn = try server.post(path, "{\(proof)}")
            #expect(signedIn.status == 200)
            #expect(signedIn["localId"] == owner["localId"])
            #expect(signedIn.json["isNewUser"] == .bool(false))
            #expect(try server.post(path, "{\(proof)}").errorMessage == "INVALID_TEMPORARY_PROOF")
        }
    }

    @Test("an anonymous user who links, changes and unlinks a number stays the same user")
    func life() throws {
        let anonymous = try server.post("/v1/accounts:signUp", #"{"returnSecureToken":true}"#)
        #expect(anonymous["kind"] == "identitytoolkit#SignupNewUserResponse")
        #expect(anonymous["expiresIn"] == "3600")
        let uid = try text(anonymous, "localId")
        var idToken = try text(anonymous, "idToken")
        #expect(try user(idToken)["providerUserInfo"] == .array([]))
        for (index, number) in ["+16505550194", "+16505550195", "+16505550194", "+16505550195"].enumerated() {
            let operation = index == 0 ? "LINK" : "UPDATE"
            let linked = try prove(
                number,
                #","idToken":"\#(idToken)","operation":"\#(operation)""#,
                legacy: index % 2 == 1
            )
            #expect(linked["localId"] == uid)
            #expect(linked["phoneNumber"] == number)
            #expect(linked.json["isNewUser"] == .bool(false))
            idToken = try text(linked, "idToken")
            #expect(try user(idToken).text("phoneNumber") == number)
            #expect(try idTokenClaims(idToken).text("phone_number") == number)
            #expect(try server.refresh(try text(linked, "refreshToken")).status == 200)
        }
        let unlinked = try server.post(
            "/v1/accounts:update",
            #"{"idToken":"\#(idToken)","deleteProvider":["phone"],"returnSecureToken":true}"#
        )
        #expect(unlinked.status == 200)
        #expect(unlinked.json["providerUserInfo"] == .array([]))
        #expect(try user(idToken)["phoneNumber"] == nil)
        #expect(try server.signInFresh("+16505550195").json["isNewUser"] == .bool(true))
    }

    @Test(
        "name and picture are set and removed by both field names, by names and numbers",
        arguments: ["/v1/accounts:update", "/identitytoolkit/v3/relyingparty/setAccountInfo"]
    )
    func update(path: String) throws {
        let signedIn = try server.post("/identitytoolkit/v3/relyingparty/signupNewUser", "{}")
        let idToken = try text(signedIn, "idToken")
        func change(_ fields: String) throws -> HTTPAnswer {
            let answer = try server.post(path, #"{"idToken":"\#(idToken)",\#(fields)}"#)
            #expect(answer.status == 200)
            #expect(answer["kind"] == "identitytoolkit#SetAccountInfoResponse")
            #expect(answer["localId"] == signedIn["localId"])
            #expect(answer["idToken"] == nil)
            return answer
        }
        let set = try change(#""displayName":"Ada","photoUrl":"https://example.com/a","returnSecureToken":true"#)
        #expect(set["displayName"] == "Ada" && set["photoUrl"] == "https://example.com/a")
        #expect(try user(idToken).text("displayName") == "Ada")
        let claims = try idTokenClaims(try text(try server.refresh(try text(signedIn, "refreshToken")), "id_token"))
        #expect(claims.text("name") == "Ada" && claims.text("picture") == "https://example.com/a")
        #expect(claims.text("provider_id") == "anonymous")
        #expect(try change(#""deleteAttribute":["DISPLAY_NAME"]"#)["displayName"] == nil)
        #expect(try change(#""delete_attribute":[4]"#)["photoUrl"] == nil)
        #expect(try change(#""displayName":"Bea","photoUrl":"https://example.com/b""#)["displayName"] == "Bea")
        // What the JS SDK's `updateProfile({displayName: null})` sends.
        let nullName = try change(#""displayName":null"#)
        #expect(nullName["displayName"] == nil && nullName["photoUrl"] == "https://example.com/b")
        #expect(try change(#""photoUrl":null,"email":null,"password":null,"deleteProvider":null"#)["photoUrl"] == nil)
        #expect(try change(#""displayName":"Bea""#)["displayName"] == "Bea")
        #expect(try change(#""displayName":"""#)["displayName"] == nil)
        let long = String(repeating: "x", count: 257)
        let refused = try server.post(path, #"{"idToken":"\#(idToken)","displayName":"\#(long)"}"#)
        #expect(refused.errorMessage == "INVALID_PROFILE_ATTRIBUTE : Display name too long.")
        let malformed = try server.post(path, #"{"idToken":"\#(idToken)","deleteAttribute":"DISPLAY_NAME"}"#)
        #expect(malformed.errorMessage?.hasPrefix("Invalid JSON payload received.") == true)
    }

    @Test(
        "a deleted user does not exist on any path",
        arguments: ["/v1/accounts:delete", "/www.googleapis.com/identitytoolkit/v3/relyingparty/deleteAccount"]
    )
    func deletion(path: String) throws {
        let number = path.hasPrefix("/v1") ? "+16505550196" : "+16505550197"
        let signedIn = try server.signInFresh(number)
        let idToken = try text(signedIn, "idToken")
        let answer = try server.post(path, #"{"idToken":"\#(idToken)"}"#)
        #expect(answer.status == 200)
        #expect(String(decoding: answer.body, as: UTF8.self) == #"{"kind":"identitytoolkit#DeleteAccountResponse"}"#)
        let answers = [
            try server.post(path, #"{"idToken":"\#(idToken)"}"#), try server.lookUp(idToken),
            try server.post("/v1/accounts:update", #"{"idToken":"\#(idToken)","displayName":"x"}"#),
            try server.refresh(try text(signedIn, "refreshToken")),
            try prove("+16505550198", #","idToken":"\#(idToken)""#),
        ]
        for answer in answers { #expect(answer.errorMessage == "USER_NOT_FOUND") }
        let again = try server.signInFresh(number)
        #expect(again.json["isNewUser"] == .bool(true))
        #expect(again["localId"] != signedIn["localId"])
    }

    @Test("users can be disabled and their tokens revoked on every path")
    func disabled() throws {
        let signedIn = try server.signInFresh("+16505550199")
        let idToken = try text(signedIn, "idToken")
        let refreshToken = try text(signedIn, "refreshToken")
        let pattern = "dt:{u*}:user:demo-dialtone:\(try text(signedIn, "localId"))"
        let key = server.redis.cli("--scan", "--pattern", pattern)
        func expectEverywhere(_ message: String) throws {
            let answers = [
                try server.lookUp(idToken), try server.refresh(refreshToken),
                try server.post("/v1/accounts:update", #"{"idToken":"\#(idToken)","displayName":"x"}"#),
                try server.post("/v1/accounts:delete", #"{"idToken":"\#(idToken)"}"#),
                try prove("+16505550198", #","idToken":"\#(idToken)""#),
            ]
            for answer in answers { #expect(answer.errorMessage == message) }
        }
        server.redis.cli("HSET", key, "disabled", "1")
        try expectEverywhere("USER_DISABLED")
        server.redis.cli("HSET", key, "disabled", "0", "valid-since", "4000000000")
        try expectEverywhere("TOKEN_EXPIRED")
    }
}

import RedisScripts
import Testing

@testable import PhoneAuth

/// The format of hook responses.
@Suite struct HookChangesTests {
    private static func changes(
        _ answer: String,
        to event: BlockingHookEvent = .beforeSignIn
    ) throws(BlockingHookFault) -> HookChanges {
        try HookChanges(Array(answer.utf8), to: event)
    }

    private static func record(_ mask: String, _ members: String = "") -> String {
        #"{"userRecord":{"updateMask":"\#(mask)"\#(members.isEmpty ? "" : ",")\#(members)}}"#
    }

    @Test(
        "a response without a user record changes nothing",
        arguments: ["{}", #"{"userRecord":null}"#, #"{"recaptchaActionOverride":"ALLOW"}"#, #" {"sid":"x"} "#]
    )
    func nothing(answer: String) throws {
        let changes = try Self.changes(answer)
        #expect(changes.fields.isEmpty && changes.sessionClaims == nil)
    }

    @Test("the hook for second factors cannot change the user")
    func secondFactors() throws {
        for field in ["displayName", "customClaims", "sessionClaims", "disabled"] {
            #expect(throws: BlockingHookFault.fieldNotChangeable) {
                try Self.changes(Self.record(field), to: .beforeSecondFactorEnrollment)
            }
        }
        #expect(try Self.changes("{}", to: .beforeSecondFactorEnrollment).fields.isEmpty)
    }

    @Test("only members named in the update mask change")
    func masked() throws {
        let all = try Self.changes(
            Self.record(
                "displayName,photoURL,disabled,emailVerified,customClaims,sessionClaims",
                #""displayName":"Ada","photoURL":"https://a.example/p","disabled":true,"emailVerified":true,"#
                    + #""customClaims":{"role":"admin"},"sessionClaims":{"device":7},"phoneNumber":"+16505550199""#
            )
        )
        #expect(
            all.fields == [
                .displayName: "Ada", .photoURL: "https://a.example/p", .isDisabled: "1", .isEmailVerified: "1",
                .customAttributes: #"{"role":"admin"}"#,
            ]
        )
        #expect(all.sessionClaims?.text == #"{"device":7}"#)
        let one = try Self.changes(Self.record("photoUrl", #""displayName":"Ada","photoUrl":"https://a.example/p""#))
        #expect(one.fields == [.photoURL: "https://a.example/p"])
    }

    @Test(
        "members named in the mask without a value are removed",
        arguments: [
            ("displayName", AccountField.displayName), ("photoURL", .photoURL), ("disabled", .isDisabled),
            ("emailVerified", .isEmailVerified), ("customClaims", .customAttributes),
        ]
    )
    func removed(name: String, field: AccountField) throws {
        for members in ["", #""\#(name)":null"#] {
            #expect(try Self.changes(Self.record(name, members)).fields == [field: nil])
        }
    }

    @Test(
        "a response in any other format is invalid",
        arguments: [
            ("", .malformed), ("[]", .malformed), ("null", .malformed), ("<html>", .malformed), ("{", .malformed),
            (#"{"userRecord":[]}"#, .malformed), (#"{"userRecord":{}}"#, .updateMaskMissing),
            (#"{"userRecord":{"displayName":"Ada"}}"#, .updateMaskMissing), (record(""), .updateMaskMissing),
            (#"{"userRecord":{"updateMask":["displayName"]}}"#, .updateMaskMissing),
            (record("phoneNumber", #""phoneNumber":"+16505550199""#), .fieldNotChangeable),
            (record("uid"), .fieldNotChangeable), (record("displayName,"), .fieldNotChangeable),
            (record("displayName, disabled"), .fieldNotChangeable), (record("customClaims.role"), .fieldNotChangeable),
            (record("displayName", #""displayName":7"#), .valueWrong(field: "displayName")),
            (
                record("displayName", #""displayName":"\#(String(repeating: "a", count: 257))""#),
                .valueWrong(field: "displayName")
            ),
            (
                record("photoURL", #""photoURL":"\#(String(repeating: "a", count: 2049))""#),
                .valueWrong(field: "photoURL")
            ),
            (record("disabled", #""disabled":"true""#), .valueWrong(field: "disabled")),
            (record("emailVerified", #""emailVerified":1"#), .valueWrong(field: "emailVerified")),
            (record("customClaims", #""customClaims":"{}""#), .valueWrong(field: "customClaims")),
            (record("customClaims", #""customClaims":{"sub":"x"}"#), .claimsRefused(.reserved("sub"))),
            (record("sessionClaims", #""sessionClaims":{"firebase":{}}"#), .claimsRefused(.reserved("firebase"))),
            (
                record("customClaims", #""customClaims":{"a":"\#(String(repeating: "a", count: 1000))"}"#),
                .claimsRefused(.tooLarge)
            ),
        ] as [(String, BlockingHookFault)]
    )
    func refused(answer: String, fault: BlockingHookFault) {
        #expect(throws: fault) { try Self.changes(answer) }
    }

    @Test("beforeCreate cannot set session claims, because there is no session yet")
    func sessionClaims() {
        let answer = Self.record("sessionClaims", #""sessionClaims":{"device":7}"#)
        #expect(throws: BlockingHookFault.fieldNotChangeable) { try Self.changes(answer, to: .beforeCreate) }
    }

    @Test(
        "of a denial, only the message for the app is passed on",
        arguments: [
            (
                #"{"error":{"message":"No.","status":"PERMISSION_DENIED","details":{"a":1}}}"#,
                #"{"error":{"message":"No.","status":"PERMISSION_DENIED"}}"#
            ),
            (#"{"error":{"message":"No."},"stack":"inside"}"#, #"{"error":{"message":"No."}}"#),
            (
                #"{"error":{"message":"\#(String(repeating: "a", count: 1001))"}}"#,
                #"{"error":{"message":"\#(String(repeating: "a", count: 1000))"}}"#
            ),
            (#"{"error":"inside"}"#, nil), (#"{"error":{"message":7}}"#, nil), ("<h1>inside</h1>", nil), ("", nil),
        ] as [(String, String?)]
    )
    func denials(body: String, explanation: String?) throws {
        let hook = try #require(try BlockingHooks.example().beforeSignIn)
        let denial = BlockingHookDenial(.beforeSignIn, hook, status: 403, Array(body.utf8))
        #expect(denial.explanation == explanation)
        #expect(!"\(denial)".contains("No") && "\(denial.hook)" == "https://hooks.example.com")
    }
}

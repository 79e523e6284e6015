import Encodings
import Passwords
import PhoneAuth
import Testing

@testable import AccountFiles

@Suite struct ReadAccountTests {
    private func read(
        _ text: String,
        _ origin: PasswordOrigin = PasswordOrigin(nil)
    ) throws(RecordFault) -> ReadAccount {
        try ReadAccount(FileRecord(place: .line(1), content: Array(text.utf8)), origin)
    }

    private func fault(_ text: String, _ origin: PasswordOrigin = PasswordOrigin(nil)) -> RecordFault? {
        do {
            _ = try read(text, origin)
            return nil
        } catch {
            return error
        }
    }

    /// The sample parameters published in github.com/firebase/scrypt.
    static func firebase() throws -> PasswordOrigin {
        let key = "jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA=="
        let parameters = FirebaseHashParameters(
            signerKey: try #require(Base64.decode(eitherAlphabet: key.utf8)),
            saltSeparator: [7],
            rounds: 8,
            memoryCost: 14
        )
        return PasswordOrigin(.firebaseScrypt(try #require(parameters)))
    }

    @Test("an account in Firebase's format is read with all fields")
    func firebaseAccount() throws {
        let text = #"""
            {"localId": "FbUid1", "email": "Ada@Example.com", "emailVerified": true,
             "passwordHash": "lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==",
             "salt": "42xEC+ixf3L2lw==", "displayName": "Ada", "photoUrl": "https://example.com/ada.png",
             "lastSignedInAt": "1700000001000", "createdAt": "1600000000000", "phoneNumber": "+16505550101",
             "disabled": false, "customAttributes": "{\"role\":\"admin\"}",
             "providerUserInfo": [{"providerId": "google.com", "rawId": "1"}], "mfaInfo": []}
            """#
        let read = try read(text, try Self.firebase())
        #expect(read.hasOtherProviders)
        #expect(read.uid == "FbUid1" && read.skippedFields.isEmpty)
        let change = read.change
        guard case .set("Ada@Example.com") = change.email, case .set("+16505550101") = change.phoneNumber,
            case .set("Ada") = change.displayName, case .set("https://example.com/ada.png") = change.photoURL,
            case .imported(.firebaseScrypt) = change.password
        else {
            Issue.record("a text or the password is missing")
            return
        }
        #expect(change.isEmailVerified == true && change.isDisabled == false)
        #expect(change.customClaims?.text == #"{"role":"admin"}"#)
        #expect(change.createdAt?.milliseconds == 1_600_000_000_000)
        #expect(change.lastLoginAt?.milliseconds == 1_700_000_001_000)
        #expect(change.validSince == nil && change.passwordUpdatedAt == nil)
    }

    @Test("nulls and empty strings count as absent, times may be numbers, and Argon2id hashes need no algorithm")
    func leniency() throws {
        let hash = "$argon2id$v=19$m=64,t=1,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
        let read = try read(
            #"""
            {"localId":"a","email":"","salt":null,"disabled":null,"createdAt":1600000000000,"lastLoginAt":1,"validSince":2,
             "passwordUpdatedAt":3,"passwordHash":"\#(hash)","providerUserInfo":[{"providerId":"phone"}]}
            """#
        )
        let change = read.change
        guard case .unchanged = change.email, case .imported(.argon2id) = change.password else {
            Issue.record("the address or the password is wrong")
            return
        }
        #expect(change.createdAt?.milliseconds == 1_600_000_000_000 && change.lastLoginAt?.milliseconds == 1)
        #expect(change.validSince == 2 && change.passwordUpdatedAt?.milliseconds == 3)
        #expect(!read.hasOtherProviders)
    }

    @Test(
        "an account with an invalid part is rejected as a whole, and the reason contains none of its data",
        arguments: [
            ("", RecordFault.malformed), ("[]", .malformed), ("{\"localId\":\"a\"", .malformed),
            ("{\"localId\":\"a\"}{}", .malformed), ("{}", .uidMissing), ("{\"localId\":\"\"}", .uidMissing),
            ("{\"localId\":true}", .fieldInvalid("localId")),
            ("{\"localId\":\"a\",\"localId\":\"b\"}", .fieldRepeated("localId")),
            ("{\"localId\":\"a\",\"photo_url\":\"b\",\"photoUrl\":\"b\"}", .fieldRepeated("photoUrl")),
            ("{\"localId\":\"a\",\"mfa\":{\"enrollments\":[{}]}}", .secondFactorsMisplaced),
            ("{\"localId\":\"a\",\"disabled\":1}", .fieldInvalid("disabled")),
            ("{\"localId\":\"a\",\"createdAt\":\"soon\"}", .timeInvalid("createdAt")),
            ("{\"localId\":\"a\",\"createdAt\":-1}", .timeInvalid("createdAt")),
            ("{\"localId\":\"a\",\"createdAt\":1.65e1}", .timeInvalid("createdAt")),
            ("{\"localId\":\"a\",\"createdAt\":99999999999999999999}", .timeInvalid("createdAt")),
            ("{\"localId\":\"a\",\"lastLoginAt\":\"1.5\"}", .timeInvalid("lastLoginAt")),
            ("{\"localId\":\"a\",\"validSince\":1.5}", .timeInvalid("validSince")),
            ("{\"localId\":\"a\",\"passwordUpdatedAt\":1e300}", .timeInvalid("passwordUpdatedAt")),
            ("{\"localId\":\"a\",\"passwordUpdatedAt\":\"nan\"}", .timeInvalid("passwordUpdatedAt")),
            ("{\"localId\":\"a\",\"customAttributes\":\"[]\"}", .customClaims(.malformed)),
            ("{\"localId\":\"a\",\"customAttributes\":\"{\\\"sub\\\":1}\"}", .customClaims(.reserved("sub"))),
            ("{\"localId\":\"a\",\"customAttributes\":{}}", .fieldInvalid("customAttributes")),
            ("{\"localId\":\"a\",\"passwordHash\":\"AAAA\"}", .hashAlgorithmMissing),
            ("{\"localId\":\"a\",\"passwordHash\":\"$5$a$b\"}", .passwordHashInvalid),
            ("{\"localId\":\"a\",\"mfaInfo\":[1]}", .fieldInvalid("mfaInfo")),
            ("{\"localId\":\"a\",\"mfaInfo\":[{\"phoneInfo\":true}]}", .fieldInvalid("phoneInfo")),
            ("{\"localId\":\"a\",\"mfaInfo\":[{\"enrolledAt\":\"soon\"}]}", .fieldInvalid("enrolledAt")),
            ("{\"localId\":\"a\",\"mfaInfo\":[{\"totpInfo\":true}]}", .fieldInvalid("totpInfo")),
            (
                "{\"localId\":\"a\",\"mfaInfo\":[{\"phoneInfo\":\"+16505550101\",\"totpInfo\":{}}]}",
                .fieldInvalid("mfaInfo")
            ),
            ("{\"localId\":\"a\",\"mfaInfo\":{}}", .fieldInvalid("mfaInfo")),
        ]
    )
    func faults(text: String, expected: RecordFault) {
        #expect(fault(text) == expected)
        #expect(!"\(expected)".contains("6505550101"))
    }

    @Test("second factors are read with all fields")
    func secondFactors() throws {
        let read = try read(
            #"""
            {"localId":"a","mfaInfo":[
             {"mfaEnrollmentId":"p","displayName":"Mine","phoneInfo":"+16505550101","unobfuscatedPhoneInfo":"+16505550101",
              "enrolledAt":"2020-09-13T12:26:40.123456Z"},
             {"mfaEnrollmentId":"a","totpInfo":{"sharedSecretKey":"JBSWY3DPEHPK3PXP"},"displayName":""},
             {"unobfuscatedPhoneInfo":"+16505550102","totpInfo":null},{"totpInfo":{}}]}
            """#
        )
        let factors = try #require(read.change.secondFactors)
        let ids = factors.map { if case .named(let id) = $0.id { id } else { "made" } }
        #expect(ids == ["p", "a", "", ""])
        #expect(factors.map(\.displayName) == ["Mine", nil, nil, nil])
        #expect(factors[0].enrolledAt?.milliseconds == 1_600_000_000_123 && factors[1].enrolledAt == nil)
        guard case .phone("+16505550101") = factors[0].content, case .totp("JBSWY3DPEHPK3PXP") = factors[1].content,
            case .phone("+16505550102") = factors[2].content, case .presentTOTP = factors[3].content
        else {
            Issue.record("a factor is another one")
            return
        }
        #expect(try self.read(#"{"localId":"a","mfaInfo":[]}"#).change.secondFactors == nil)
        #expect(!"\(factors) \(factors[1].content)".contains("JBSWY3DP"))
    }

    @Test("unknown fields are skipped and named, unless their names might be data")
    func unknownFields() throws {
        let read = try read(
            #"""
            {"localId":"a","photo_url":"https://example.com/a.png","version":0,"customAuth":true,"screenName":"a",
             "tenantId":"t","lastRefreshAt":"2026-01-31T08:15:30Z","initialEmail":"a@example.com","emailLinkSignin":true,
             "kind":"x","+16505550101":"x","mfa":{"enrollments":[]},"mfaInfo":[{"mfaEnrollmentId":"p","emailInfo":{}}]}
            """#
        )
        #expect(
            read.skippedFields == [
                "customAuth", "emailLinkSignin", "initialEmail", "kind", "lastRefreshAt", "mfaInfo.emailInfo",
                "screenName", "tenantId", "version", "…",
            ]
        )
        guard case .set("https://example.com/a.png") = read.change.photoURL else {
            Issue.record("a name in snake_case is not read")
            return
        }
    }

    @Test("numbers are read in every spelling of the protocol's JSON")
    func numbers() throws {
        let read = try read(
            #"{"localId":7,"createdAt":1.484124177E12,"lastLoginAt":"300.0","validSince":3e2,"disabled":"true"}"#
        )
        #expect(read.uid == "7" && read.change.isDisabled == true && read.change.validSince == 300)
        #expect(read.change.createdAt?.milliseconds == 1_484_124_177_000)
        #expect(read.change.lastLoginAt?.milliseconds == 300)
        for time in ["1484124177000.75", "\"1484124177000.75\"", "1.48412417700075e12"] {
            let read = try self.read(#"{"localId":"a","passwordUpdatedAt":\#(time)}"#)
            #expect(read.change.passwordUpdatedAt?.milliseconds == 1_484_124_177_000)
        }
    }

    @Test("an account whose password has no hash is recognized, also if Firebase's server has replaced the hash")
    func missingHash() throws {
        let provider = #""providerUserInfo":[{"providerId":"phone"},{"providerId":"password"}]"#
        let redacted = #""passwordHash":"UkVEQUNURUQ=","salt":"","passwordUpdatedAt":1"#
        for (fields, lacksPassword) in [
            (provider, true), (#""passwordUpdatedAt":1"#, true), (redacted, true),
            (#"\#(provider),"rawPassword":"correct horse""#, false), (#""email":"a@example.com""#, false),
            (#""providerUserInfo":[{"providerId":"phone"},7]"#, false),
        ] {
            let read = try read(#"{"localId":"a",\#(fields)}"#, try Self.firebase())
            #expect(read.lacksPassword == lacksPassword, "\(fields)")
        }
    }

    @Test("the emulator's passwords are read only if they are allowed")
    func emulatorPasswords() throws {
        let allowed = PasswordOrigin(nil, allowsEmulatorPasswords: true)
        let salt = "fakeSalt:password=1"
        let text = #"{"localId":"a","salt":"\#(salt)","passwordHash":"fakeHash:salt=\#(salt):password=a:b"}"#
        guard case .set("a:b") = try read(text, allowed).change.password else {
            Issue.record("the password is another one")
            return
        }
        #expect(fault(text) == .emulatorPassword)
        #expect(fault(text, try Self.firebase()) == .emulatorPassword)
        let others = [
            text.replacing("\"fakeSalt:", with: "\"otherSalt:"), text.replacing("\"salt\":\"\(salt)\",", with: ""),
            #"{"localId":"a","salt":"s","passwordHash":"fakeHash:password=a"}"#,
        ]
        for other in others { #expect(fault(other, allowed) == .emulatorPasswordInvalid) }
        #expect("\(RecordFault.emulatorPasswordInvalid)".contains("with the account's salt"))
    }

    @Test("hashes that do not match the algorithm are rejected")
    func wrongHashes() throws {
        let scrypt = PasswordOrigin(
            .scrypt(try #require(ScryptParameters(cost: 1024, blockSize: 8, parallelism: 1))),
            hashByteCount: 64
        )
        let short = Base64.encode([UInt8](repeating: 1, count: 32))
        let right = Base64.encode([UInt8](repeating: 1, count: 64))
        #expect(fault("{\"localId\":\"a\",\"passwordHash\":\"\(short)\"}", scrypt) == .passwordHashInvalid)
        #expect(fault("{\"localId\":\"a\",\"passwordHash\":\"\(right)\",\"salt\":\"AAAA\"}", scrypt) == nil)
        #expect(fault("{\"localId\":\"a\",\"passwordHash\":\"%\"}", scrypt) == .fieldInvalid("passwordHash"))
        #expect(fault("{\"localId\":\"a\",\"passwordHash\":\"AAAA\"}", try Self.firebase()) == .passwordHashInvalid)
        let tooDeep = "{\"localId\":\"a\",\"mfaInfo\":" + String(repeating: "[", count: 60_000)
        #expect(fault(tooDeep) == .malformed)
    }
}

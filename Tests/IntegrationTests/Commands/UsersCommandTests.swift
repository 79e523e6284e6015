import Encodings
import Glibc
import PhoneAuth
import Processes
import TestServers
import Testing

@testable import dialtone

/// Imports and exports of accounts on the command line.
@Suite(.sharedServer) struct UsersCommandTests {
    /// The server that the suite's tests share. Each test uses different accounts.
    let server: RunningServer

    init() throws {
        server = try #require(SharedServer.current)
    }

    private func write(_ text: String, _ folder: TemporaryFolder, _ name: String = "users") throws -> String {
        try folder.write(text, to: name)
        return folder.path(of: name)
    }

    private func signIn(_ server: RunningServer, _ email: String, _ password: String) throws -> HTTPAnswer {
        try server.post("/v1/accounts:signInWithPassword", #"{"email":"\#(email)","password":"\#(password)"}"#)
    }

    @Test("operators create, change and list accounts, as lines or as JSON, with masked numbers and addresses")
    func changes() throws {
        let server = try RunningServer(workers: 1)
        let created = try server.dialtone(
            "users",
            "create",
            "--uid",
            "ada",
            "--phone",
            "+16505550120",
            "--email",
            "ada@example.com",
            "--email-verified",
            "--name",
            "Ada"
        )
        #expect(created.output == "ada\n", "\(created.errors)")
        let again = try server.dialtone("users", "create", "--phone", "+16505550120")
        #expect(again.errors == "dialtone: the phone number belongs to another account\n")
        #expect(try server.dialtone("users", "create").output.count == 29)
        let changed = try server.dialtone(
            "users",
            "set",
            "ada",
            "--email",
            "",
            "--claims",
            #"{"role":"admin"}"#
        )
        #expect(changed.output == "ada is changed\n", "\(changed.errors)")
        let refused = try server.dialtone("users", "set", "ada", "--claims", #"{"iss":"x"}"#)
        #expect(refused.errors.hasSuffix(": not a JSON object of claims that a token may have\n"))
        let shown = try server.dialtone("users", "show", "ada").output
        #expect(shown.contains(#"claims          {"role":"admin"}"#) && !shown.contains("e-mail"), "\(shown)")

        let lines = try server.dialtone("users", "list").output.split(separator: "\n")
        #expect(lines.count == 2 && lines.contains { $0.hasPrefix("ada  +•••••••0120  created ") }, "\(lines)")
        let json = try server.dialtone("users", "list", "--json", "--limit", "1").output
        let last = try server.dialtone("users", "list", "--json", "--after", "ada").output
        #expect(json.split(separator: "\n").count == 1 && last.split(separator: "\n").count <= 1)
        let ada = try server.dialtone("users", "show", "ada", "--json").output
        let beginning = #"{"type":"account","uid":"ada","phoneNumber":"+•••••••0120","displayName":"Ada","#
        #expect(ada.hasPrefix(beginning + #""disabled":false,"#), "\(ada)")
    }

    @Test("a project moves to another deployment with other keys, transparently for its users")
    func roundTrip() throws {
        let (old, new) = (try RunningServer(workers: 1), try RunningServer(workers: 1))
        let byPhone = try #require(try old.signInFresh("+16505550101")["localId"])
        let signUp = #"{"email":"ada@example.com","password":"correct horse","displayName":"Ada \"the\" 1st"}"#
        let byEmail = try #require(try old.post("/v1/accounts:signUp", signUp)["localId"])
        let bearer = [("Authorization", "Bearer owner")]
        let update = #"{"localId":"\#(byEmail)","emailVerified":true,"customAttributes":"{\"role\":\"admin\"}"}"#
        #expect(try old.post("/v1/projects/demo-dialtone/accounts:update", update, headers: bearer).status == 200)
        let disabled = try #require(try old.signInFresh("+16505550102")["localId"])
        #expect(try old.dialtone("users", "disable", disabled).isFine)
        #expect(try old.dialtone("users", "revoke", disabled).isFine)

        let folder = try TemporaryFolder()
        let file = folder.path(of: "users.jsonl")
        let export = try old.dialtone("users", "export", "--with-password-hashes", "--output", file)
        #expect(export.isFine && export.errors.contains("contains password hashes"))
        var information = stat()
        #expect(stat(file, &information) == 0 && information.st_mode & 0o777 == 0o600)
        #expect(readFile(file).split(separator: "\n").count == 3)
        #expect(try old.dialtone("users", "export", "--output", file).errors.contains("the file exists"))

        let imported = try new.dialtone("users", "import", file)
        #expect(imported.output == "created 3, unchanged 0, kept 0, overwritten 0, refused 0\n")
        #expect(try new.dialtone("users", "export", "--with-password-hashes").output == readFile(file))
        #expect(try new.signInFresh("+16505550101")["localId"] == byPhone)
        let signedIn = try signIn(new, "ada@example.com", "correct horse")
        #expect(signedIn["localId"] == byEmail && signedIn["displayName"] == "Ada \"the\" 1st")
        let claims = try idTokenClaims(try #require(signedIn["idToken"]))
        #expect(claims.text("role") == "admin" && claims["email_verified"] == .bool(true))
        #expect(try new.signInFresh("+16505550102").errorMessage == "USER_DISABLED")
        let again = try new.dialtone("users", "import", file)
        #expect(again.output == "created 0, unchanged 3, kept 0, overwritten 0, refused 0\n")

        for secret in ["6505550101", "ada@example.com"] {
            #expect(!(imported.output + imported.errors + again.errors + export.errors).contains(secret))
        }
        let other = folder.path(of: "other.jsonl")
        #expect(try old.dialtone("users", "export", "--output", other).errors.contains("hashes were not exported"))
        #expect(!readFile(other).contains("$argon2id"))
        #expect(try old.dialtone("users", "export", "--output", other, "--force", "--after", byPhone).isFine)
        #expect(access(other + ".partial", F_OK) != 0)
    }

    /// Accounts in the format of `firebase auth:export`. The first one's hash is the sample in
    /// github.com/firebase/scrypt.
    static let firebaseFile = #"""
        {"users": [
        {
          "localId": "FirebaseUser1",
          "email": "user1@example.com",
          "emailVerified": true,
          "passwordHash": "lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==",
          "salt": "42xEC+ixf3L2lw==",
          "displayName": "User, the first",
          "lastSignedInAt": "1600000001000",
          "createdAt": "1500000000000",
          "phoneNumber": "+16505550111",
          "disabled": false,
          "providerUserInfo": []
        },
        {
          "localId": "FirebaseUser2",
          "email": "user2@example.com",
          "emailVerified": false,
          "createdAt": "1500000000001",
          "customAttributes": "{\"level\":7}",
          "providerUserInfo": [{"providerId": "google.com", "rawId": "108", "email": "user2@example.com"}]
        }]}
        """#
    static let signerKey =
        "jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA=="

    @Test("a Firebase file is imported with its passwords, and an export has the same content")
    func firebase() throws {
        let folder = try TemporaryFolder()
        let file = try write(Self.firebaseFile, folder)
        let key = try write(Self.signerKey + "\n", folder, "key")
        let without = try server.dialtone("users", "import", file)
        #expect(without.status == .exited(1) && without.errors.contains("users[0]: the account has a password hash"))
        let wrong = try server.dialtone("users", "import", file, "--hash-algo", "SCRYPT", "--hash-key-file", key)
        #expect(
            wrong.errors
                == "dialtone: --rounds \"0\", --mem-cost \"0\": SCRYPT needs rounds from 1 to 8, mem-cost "
                + "from 1 to 14, and a key of 16 to 128 bytes\n"
        )
        let imported = try server.dialtone(
            "users",
            "import",
            file,
            "--hash-algo",
            "SCRYPT",
            "--hash-key-file",
            key,
            "--salt-separator",
            "Bw==",
            "--rounds",
            "8",
            "--mem-cost",
            "14"
        )
        #expect(imported.isFine)
        #expect(imported.output == "created 1, unchanged 1, kept 0, overwritten 0, refused 0\n")
        #expect(imported.errors.contains("1 accounts also use other providers"))
        let before = try server.dialtone("users", "export", "--format", "firebase", "--with-password-hashes")
        let signedIn = try signIn(server, "user1@example.com", "user1password")
        #expect(signedIn["localId"] == "FirebaseUser1")
        #expect(try server.signInFresh("+16505550111")["localId"] == "FirebaseUser1")
        // The account has changed since, but what the file names is still the same.
        let again = try server.dialtone(
            "users",
            "import",
            file,
            "--hash-algo",
            "scrypt",
            "--hash-key",
            Self.signerKey,
            "--salt-separator",
            "Bw==",
            "--rounds",
            "8",
            "--mem-cost",
            "14"
        )
        #expect(again.output == "created 0, unchanged 2, kept 0, overwritten 0, refused 0\n")

        guard case .object(let document) = try JSONValue.parse(Array(before.output.utf8)),
            case .array(let users) = document["users"]
        else {
            Issue.record("it is no list of users")
            return
        }
        let exported = users.compactMap { if case .object(let user) = $0 { user } else { nil } }
        let first = try #require(exported.first { $0.text("localId") == "FirebaseUser1" })
        #expect(
            first.text("passwordHash").hasPrefix("lSrfV15cpx95/sZS2W9c9Kp6i")
                && first.text("salt") == "42xEC+ixf3L2lw=="
        )
        #expect(first.text("createdAt") == "1500000000000" && first.text("lastSignedInAt") == "1600000001000")
        #expect(first["providerUserInfo"] == .array([]) && first["validSince"] == nil)
        // The sign-in has replaced the hash by one of Dialtone's, which the Firebase format cannot represent.
        let after = try server.dialtone("users", "export", "--format", "firebase", "--with-password-hashes")
        #expect(after.errors.contains("password hashes were not exported") && !after.output.contains("lSrfV15cpx95"))
    }

    /// Accounts as Firebase's emulator exports them.
    static let emulatorFile = #"""
        {
          "kind": "identitytoolkit#DownloadAccountResponse",
          "users": [
            {
              "localId": "Emulated1",
              "lastLoginAt": "1600000001000",
              "emailVerified": true,
              "email": "emulated@example.com",
              "salt": "fakeSaltEmulated1",
              "passwordHash": "fakeHash:salt=fakeSaltEmulated1:password=correct horse",
              "passwordUpdatedAt": 1.6E12,
              "validSince": "1600000000",
              "createdAt": "1600000000000",
              "screenName": "emu",
              "lastRefreshAt": "2020-09-13T12:26:41.000Z",
              "providerUserInfo": [{"providerId": "password", "email": "emulated@example.com",
                "federatedId": "emulated@example.com", "rawId": "emulated@example.com"}]
            },
            {
              "localId": "Emulated2",
              "phoneNumber": "+16505550141",
              "customAuth": true,
              "createdAt": "1600000000000",
              "providerUserInfo": [{"providerId": "phone", "phoneNumber": "+16505550141", "rawId": "+16505550141"}]
            }
          ]
        }
        """#

    @Test("accounts that share a line are imported")
    func sharedLine() throws {
        let folder = try TemporaryFolder()
        let file = try write(#"{"localId":"one-line-1"} {"localId":"one-line-2"}"#, folder)
        let imported = try server.dialtone("users", "import", file)
        #expect(imported.output == "created 2, unchanged 0, kept 0, overwritten 0, refused 0\n", "\(imported.errors)")
    }

    @Test("the emulator's file is imported, and its passwords only if they are allowed")
    func emulator() throws {
        let folder = try TemporaryFolder()
        let file = try write(Self.emulatorFile, folder)
        let without = try server.dialtone("users", "import", file)
        #expect(without.status == .exited(1))
        #expect(without.output == "created 1, unchanged 0, kept 0, overwritten 0, refused 1\n")
        #expect(without.errors.contains("users[0]: passwordHash is a password in plain text, from Firebase's emulator"))
        #expect(without.errors.contains("--allow-emulator-passwords\n") && !without.errors.contains("correct horse"))
        let imported = try server.dialtone("users", "import", file, "--allow-emulator-passwords")
        #expect(imported.isFine && imported.output == "created 1, unchanged 1, kept 0, overwritten 0, refused 0\n")
        #expect(imported.errors.hasSuffix("skipped fields: customAuth, lastRefreshAt, screenName\n"))
        #expect(try signIn(server, "emulated@example.com", "correct horse")["localId"] == "Emulated1")
        let again = try server.dialtone("users", "import", file, "--allow-emulator-passwords")
        #expect(again.output == "created 0, unchanged 2, kept 0, overwritten 0, refused 0\n")
    }

    @Test("passwords in plain text are hashed in batches that finish in time, wherever they are in the file")
    func batches() {
        let accounts = (0..<100).map { index in
            var change = AccountChange()
            if index.isMultiple(of: 4) { change.password = .set("correct horse") }
            return ImportedAccount(uid: "\(index)", change, source: [])
        }
        let batches = AccountImporter.batches(of: accounts)
        #expect(batches == [0..<40, 40..<80, 80..<100])
        #expect(AccountImporter.batches(of: []).isEmpty)
    }

    @Test("pages of batchGet move a project, and a missing page is an error")
    func pages() throws {
        let (old, new) = (try RunningServer(workers: 1), try RunningServer(workers: 1))
        #expect(try old.signInFresh("+16505550101").status == 200)
        #expect(try old.signInFresh("+16505550102").status == 200)
        func page(_ query: String) throws -> HTTPAnswer {
            let owner = [("Authorization", "Bearer owner")]
            return try old.get("/v1/projects/demo-dialtone/accounts:batchGet?\(query)", headers: owner)
        }
        let signUp = #"{"email":"p@example.com","password":"correct horse"}"#
        #expect(try old.post("/v1/accounts:signUp", signUp).status == 200)
        let first = try page("maxResults=1")
        let next = try page("maxResults=1000&nextPageToken=\(try #require(first["nextPageToken"]))")
        let folder = try TemporaryFolder()
        let cut = try new.dialtone("users", "import", write(first.text, folder))
        #expect(cut.status == .exited(1) && cut.output == "created 1, unchanged 0, kept 0, overwritten 0, refused 0\n")
        #expect(cut.errors.contains("the accounts after the first 1 are missing"))
        let whole = try new.dialtone("users", "import", write(first.text + "\n" + next.text, folder))
        #expect(whole.isFine && whole.output == "created 2, unchanged 1, kept 0, overwritten 0, refused 0\n")
        #expect(whole.errors.contains("1 accounts have a password, but the file does not have its hash"))
        for (text, reason) in [
            ("uid1,ada@example.com,true\nuid2,,\n", "the file is not JSON"),
            ("{\n \"fields\": {\n  \"a\": 1\n }\n}\n", "the file is JSON, but has neither"),
            (#"{"signIn":{"allowDuplicateEmails":false}}"#, "the file is JSON, but has neither"),
            ("{}\n", "the file is JSON, but has neither"), ("", "the file is empty"),
        ] {
            let refused = try new.dialtone("users", "import", write(text, folder))
            #expect(refused.status == .exited(1) && refused.errors.contains(reason))
            #expect(refused.errors.split(separator: "\n").filter { !$0.hasSuffix("a second") }.count == 1)
        }
    }

    @Test("each refused account is reported by its position, without its data, and the others are imported")
    func faults() throws {
        let folder = try TemporaryFolder()
        let file = try write(
            """
            {"localId":"f1","phoneNumber":"+16505550121"}
            nonsense with +16505550122

            {"localId":"f2","phoneNumber":"+16505550121"}
            {"localId":"f3","phoneNumber":"+1650"}
            {"localId":"f4","email":"none-at-all"}
            {"localId":"f5","mfaInfo":[{"phoneInfo":"+16505550123"}]}
            {"localId":"f6","email":"f6@example.com"}
            {"localId":"f7\\u0000"}
            """,
            folder
        )
        let rehearsal = try server.dialtone("users", "import", file, "--dry-run")
        #expect(rehearsal.output == "would have created 2, unchanged 0, kept 0, overwritten 0, refused 6\n")
        let duplicate = "line 4: an account before it has the same uid, phone number or e-mail address\n"
        #expect(rehearsal.errors.contains(duplicate))
        #expect(try server.dialtone("users", "show", "f1").status == .exited(1))
        let imported = try server.dialtone("users", "import", file)
        #expect(imported.status == .exited(1))
        #expect(imported.output == "created 2, unchanged 0, kept 0, overwritten 0, refused 6\n")
        let lines = imported.errors.split(separator: "\n").map(String.init)
        #expect(lines.contains("line 2: not a JSON object"))
        #expect(lines.contains("line 4: the phone number belongs to another account"))
        #expect(
            lines.contains { $0.hasPrefix("line 5: the phone number is not a possible number in E.164 form, or ") }
        )
        #expect(lines.contains("line 6: the e-mail address is not valid"))
        #expect(lines.contains("line 7: a second factor has no id"))
        #expect(lines.contains("line 9: a uid has 1 to 128 characters without control characters"))
        #expect(lines.last == "dialtone: 6 accounts were not imported")
        #expect(!imported.errors.contains("1650555") && !imported.errors.contains("none-at-all"))
        let cut = try write(String(Self.firebaseFile.dropLast(3)), folder)
        #expect(
            try server.dialtone("users", "import", cut, "--dry-run").errors.hasSuffix("\(cut): the file is truncated\n")
        )
    }

    @Test("an account is shown, disabled, enabled, signed out and deleted by uid, number or address")
    func one() throws {
        let folder = try TemporaryFolder()
        let number = "+16505550131"
        let file = try write(#"{"localId":"one","phoneNumber":"\#(number)","email":"one@example.com"}"#, folder)
        #expect(try server.dialtone("users", "import", file).isFine)
        let byUID = try server.dialtone("users", "show", "one").output
        #expect(byUID.contains("•••••••0131") && byUID.contains("o•••@example.com") && !byUID.contains(number))
        #expect(try server.dialtone("users", "show", number).output.contains(number))
        #expect(try server.dialtone("users", "show", "One@example.com").output.contains("one@example.com"))
        let signedIn = try server.signInFresh(number)
        #expect(try server.dialtone("users", "disable", number).output == "one is disabled\n")
        #expect(try server.refresh(try #require(signedIn["refreshToken"])).errorMessage == "USER_DISABLED")
        #expect(try server.dialtone("users", "enable", "one").isFine)
        #expect(try server.refresh(try #require(signedIn["refreshToken"])).status == 200)
        #expect(try server.dialtone("users", "delete", "one@example.com").output == "one is deleted\n")
        let unknown = try server.dialtone("users", "show", number)
        #expect(
            unknown.status == .exited(1)
                && unknown.errors == "dialtone: \"\(number)\": no such account in demo-dialtone\n"
        )
    }
}

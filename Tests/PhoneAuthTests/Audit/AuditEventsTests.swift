import Encodings
import RedisScripts
import Testing
import TestServers

@testable import PhoneAuth

extension PhoneAuthTests {
    /// Audit events about users' actions.
    @Suite struct AuditEventsTests {
        let deployment: Deployment
        let authenticator: Authenticator
        let project: Project
        let number = "+16505550171"
        let other = "+16505550172"

        init() throws {
            (deployment, _) = try Deployment.ofManyMessages { $0.rotatesRefreshTokens = true }
            authenticator = deployment.authenticator(passwordHashing: try TestPasswordHashing.make())
                .working(for: Requester(actor: .user, requestID: "request", clientAddress: "192.0.2.7"))
            project = deployment.projectWithEverything
        }

        private func events(_ change: (inout AuditFilter) -> Void = { _ in }) throws -> [AuditEvent] {
            var filter = AuditFilter()
            change(&filter)
            var events = try authenticator.auditEvents(filter, among: [project])
            var all: [AuditEvent] = []
            while let event = try events.next() { all.append(event) }
            return all
        }

        private func kinds(_ change: (inout AuditFilter) -> Void = { _ in }) throws -> [String] {
            try events(change).map(\.kind)
        }

        @Test("the log covers an account's life from the first sign-in to its deletion")
        func life() throws {
            let first = try authenticator.in(project).signIn(number)
            let linked = try authenticator.in(project).change(
                first.idToken,
                email: "ada@example.com",
                password: "correct horse"
            )
            let tokens = try #require(linked.tokens)
            _ = authenticator.in(project).signIn("ada@example.com", password: "wrong", request: "w")
            _ = authenticator.in(project).signIn("ada@example.com", password: "correct horse", request: "r")
            #expect(try authenticator.in(project).link(other, to: tokens.idToken).uid == first.uid)
            let renewed = try authenticator.in(project).signIn(other)
            var removal = UpdateAccountRequest(idToken: renewed.idToken)
            removal.removesPhoneNumber = true
            _ = try authenticator.in(project).updateAccount(removal)
            try authenticator.in(project, request: "d").deleteAccount(idToken: renewed.idToken)
            let told = try events { $0.uid = first.uid }
            #expect(
                told.map { event in event.detail.map { "\(event.kind) \($0)" } ?? event.kind } == [
                    "sign-up phone", "link email", "password-change set", "tokens-revoked", "sign-in password",
                    "number-change", "sign-in phone", "unlink phone", "account-deleted",
                ]
            )
            #expect(Set(told.map(\.actor)) == ["user"])
            #expect(Set(told.map(\.reference)) == [DecisionReference(requestID: "request")])
            #expect(Set(told.compactMap(\.networkHash)).count == 1)
            #expect(try kinds { $0.phoneNumber = number } == ["sign-up", "number-change"])
            #expect(try kinds { $0.phoneNumber = other } == ["number-change", "sign-in", "unlink"])
            #expect(try kinds { $0.kinds = [.link, .unlink] } == ["link", "unlink"])
        }

        @Test("events are found by project, account, number, request and time")
        func filters() throws {
            let uid = try authenticator.in(project).signIn(number).uid
            deployment.clock.advance(by: .seconds(100))
            let since = deployment.clock.now
            let third = authenticator.working(
                for: Requester(actor: .user, requestID: "third", clientAddress: "192.0.2.8")
            )
            let laterUID = try third.in(project).signIn(other).uid
            #expect(try events { $0.since = since }.map(\.uid) == [laterUID])
            #expect(try events { $0.reference = DecisionReference(requestID: "third") }.map(\.uid) == [laterUID])
            #expect(try events { ($0.project, $0.uid) = (project, uid) }.map(\.uid) == [uid])
            #expect(try events { $0.project = Project(id: "other", authorizedDomains: []) }.isEmpty)
            #expect(try Set(events().compactMap(\.networkHash)).count == 2)
            #expect(throws: NumberRefusal.self) { try events { $0.phoneNumber = "nonsense" } }
            deployment.clock.advance(by: .seconds(90 * 86_400 - 50))
            #expect(try events().map(\.uid) == [laterUID])
        }

        @Test("the latest events come first if they are asked for, as many as are wanted or as time permits")
        func latestFirst() throws {
            let users = try (0..<30).map { _ in
                deployment.clock.advance(by: .seconds(1))
                // The log is in the order of Redis's clock, to the millisecond.
                let next = ContinuousClock.now + .milliseconds(2)
                while ContinuousClock.now < next {}
                return try authenticator.in(project).signUpAnonymously().account.uid
            }
            func latest(_ count: Int, _ patience: Duration, _ filter: AuditFilter = AuditFilter()) throws
                -> (events: [AuditEvent], areAll: Bool)
            {
                var events = try authenticator.auditEvents(filter, among: [project], latestFirst: true)
                return try events.next(count, within: patience)
            }
            let some = try latest(25, .seconds(60))
            #expect(some.events.map(\.uid) == Array(users.reversed().prefix(25)) && !some.areAll)
            let all = try latest(31, .seconds(60))
            #expect(all.events.map(\.uid) == users.reversed() && all.areAll)
            #expect(try latest(31, .zero).events.isEmpty)
            var filter = AuditFilter()
            filter.since = deployment.clock.now + .seconds(-4)
            #expect(try latest(31, .seconds(60), filter).events.map(\.uid) == users.suffix(5).reversed())
        }

        @Test("each event names its actor: a user, a service account, the server or an operator")
        func actors() throws {
            let development = Project(
                id: project.id,
                authorizedDomains: [],
                customTokenIssuers: .anyoneUnverified
            )
            let now = deployment.clock.now.seconds
            let token = CustomTokens.unsigned(uid: "ada", at: now)
            let custom = try authenticator.in(development).signInWithCustomToken(token)
            _ = try authenticator.in(development).signInWithCustomToken(token)
            let first = custom.refreshToken
            for _ in 0..<2 {
                _ = authenticator.in(project).refresh(first)
                deployment.clock.advance(by: .seconds(61))
            }
            #expect(authenticator.in(project).refresh(first) == .revoked)
            try authenticator.working(for: .commandLine).in(project).deleteAllAccounts()
            #expect(
                try events().map { "\($0.kind) \($0.actor)" } == [
                    "sign-up service-account -", "sign-in service-account -", "token-reused server",
                    "account-deleted command-line",
                ]
            )
            #expect(try events().last?.reference == nil)
        }

        @Test("an operator's changes are logged completely, with the credential and the former identifiers")
        func administration() throws {
            let administrator = authenticator.working(
                for: Requester(actor: .administrator("token"), requestID: "admin", clientAddress: "192.0.2.9")
            )
            func change(_ edit: (inout AccountChange) throws -> Void) throws {
                var change = AccountChange()
                try edit(&change)
                _ = try administrator.in(project).changeAccount(uid: "ada", change)
            }
            var creation = AccountChange()
            creation.phoneNumber = .set(number)
            _ = try administrator.in(project).createAccount(uid: "ada", creation, requestID: "admin")
            try change {
                $0.phoneNumber = .set(other)
                $0.isDisabled = true
                $0.customClaims = try CustomClaims(#"{"role":"x"}"#)
            }
            try change {
                $0.phoneNumber = .removed
                $0.isDisabled = false
            }
            try administrator.in(project, request: "admin").deleteAccount(uid: "ada")
            #expect(
                try kinds { $0.uid = "ada" } == [
                    "account-created", "link", "number-change", "account-disabled", "admin-change", "account-enabled",
                    "unlink", "account-deleted",
                ]
            )
            #expect(try Set(events().map(\.actor)) == ["administrator token"])
            #expect(try kinds { $0.phoneNumber = other } == ["number-change", "unlink"])
        }

        @Test("even in races, each acknowledged change has one event, and no refused change has one")
        func racing() throws {
            let users = try (0..<6).map { _ in try authenticator.in(project).signUpAnonymously() }
            let requests = try users.enumerated().map { index, user in
                try authenticator.in(project).answered(number, client: index, idToken: user.idToken)
            }
            let outcomes = try inParallel(users.count) { [deployment, project] racer in
                deployment.authenticator().in(project).answer(requests[racer])
            }
            let linked = outcomes.compactMap(\.uid)
            #expect(try events { $0.kinds = [.link] }.map(\.uid) == linked && linked.count == 1)
            #expect(try kinds { $0.kinds = [.signUp] }.count == 6)
            let owner = try #require(users.first { $0.account.uid == linked.first })
            let deletions = try inParallel(6) { [deployment, project] racer in
                let request = "d\(racer)"
                return
                    (try? deployment.authenticator().in(project, request: request).deleteAccount(
                        idToken: owner.idToken
                    )) != nil
            }
            #expect(deletions.filter { $0 }.count == 1)
            #expect(try events { $0.kinds = [.accountDeleted] }.map(\.uid) == linked)
        }

        @Test("the log contains no readable number, address, password, token or network")
        func atRest() throws {
            let user = try authenticator.in(project).signIn(number)
            try authenticator.in(project).change(user.idToken, email: "ada@example.com", password: "correct horse")
            let log = deployment.contents().filter { $0.key.hasSuffix(":audit") }.map(\.value).joined()
            #expect(log.contains("sign-up") && log.contains("phone:") && log.contains("email:"))
            for secret in ["6505550171", "example", "horse", "192.0.2", user.idToken, user.refreshToken] {
                #expect(!log.contains(secret))
            }
        }

        @Test("without an audit log, everything else works")
        func off() throws {
            let silent = deployment.authenticator { $0.auditRetention = .zero }
            let user = try silent.in(project).signIn(number)
            try silent.in(project, request: "d").deleteAccount(idToken: user.idToken)
            #expect(deployment.keyNames(matching: "*:audit") == [])
        }
    }
}

/// Custom tokens of any user.
enum CustomTokens {
    static func unsigned(uid: String, at now: Int64) -> String {
        let header = JSONWriter.object { $0.member("alg", "none") }
        let payload = JSONWriter.object { json in
            json.member("aud", CustomToken.audience)
            json.member("uid", uid)
            json.member("iat", now)
            json.member("exp", now + 3600)
        }
        return "\(Base64URL.string(header)).\(Base64URL.string(payload))."
    }
}

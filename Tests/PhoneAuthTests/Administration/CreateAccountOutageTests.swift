import Redis
import RedisScripts
import Testing
import TestServers

@testable import PhoneAuth

extension PhoneAuthTests {
    /// The creation of an account by an operator, while Redis fails.
    @Suite struct CreateAccountOutageTests {
        private let deployment: Deployment
        private let proxy: RedisProxy
        private let authenticator: Authenticator
        private let droppedSteps = DroppedSteps()
        private var project: Project { deployment.projectWithEverything }
        /// More commands than a creation sends.
        private static let mostCommands = 60

        init() throws {
            deployment = try Deployment()
            proxy = try deployment.proxy()
            authenticator = deployment.authenticator(over: proxy, droppedSteps: droppedSteps)
        }

        private func create(_ index: Int, request: String, isResumable: Bool = false) throws(AccountRefusal) {
            var change = AccountChange()
            change.phoneNumber = .set("+165055501\(10 + index)")
            change.email = .set("user\(index)@example.com")
            let operation = authenticator.in(project, request: "\(request)-\(index)")
            _ = try operation.createAccount(uid: "user\(index)", change, isResumable: isResumable)
        }

        /// Creates accounts until every reply of Redis has once been lost beyond the request's deadline. Calls
        /// `whenFailed` after each failed creation.
        private func loseReplies(
            _ create: (_ index: Int) throws(AccountRefusal) -> Void,
            whenFailed: (_ index: Int) throws -> Void
        ) throws {
            // Redis then knows all scripts.
            try create(0)
            var failures = 0
            for commands in 0..<Self.mostCommands {
                let index = commands + 1
                authenticator.setDeadline(.now + .milliseconds(500))
                proxy.interrupt(afterCommands: commands, .hang)
                var failure: AccountRefusal?
                do { try create(index) } catch { failure = error }
                let isLost = proxy.hasInterrupted()
                authenticator.setDeadline(.now + .seconds(60))
                if let failure {
                    guard case .failed(.unavailable) = failure else { throw failure }
                    failures += 1
                    try whenFailed(index)
                }
                if !isLost, failure == nil { break }
            }
            #expect(failures > 6, "number and e-mail address take several steps")
            try authenticator.in(project).expectSoundAccounts()
        }

        @Test("whichever reply of Redis comes too late, a failed creation leaves no account, and can be repeated")
        func lostReplies() throws {
            var deletions = 0
            try loseReplies { index throws(AccountRefusal) in
                try create(index, request: "first")
            } whenFailed: { index in
                // The deletion has two seconds. On a machine at full load, it may be dropped.
                if droppedSteps.all.contains("delete a half-made account of first-\(index)") { return }
                deletions += 1
                #expect(try authenticator.in(project).accounts()["user\(index)"] == nil)
                try create(index, request: "second")
                let account = try authenticator.in(project).accounts()["user\(index)"]
                #expect(account?.phoneNumber == "+165055501\(10 + index)")
                #expect(account?.email == "user\(index)@example.com")
            }
            #expect(deletions > 0)
        }

        @Test("a failed resumable creation is completed by the same request, and by no other")
        func resumed() throws {
            var refusals = 0
            try loseReplies { index throws(AccountRefusal) in
                try create(index, request: "first", isResumable: true)
            } whenFailed: { index in
                if try authenticator.in(project).accounts()["user\(index)"] != nil {
                    refusals += 1
                    #expect(throws: AccountRefusal.self) { try create(index, request: "second") }
                }
                do throws(AccountRefusal) {
                    try create(index, request: "first", isResumable: true)
                } catch {
                    // The account is already complete, as the next lines show.
                    guard case .uidTaken = error else { throw error }
                }
                let account = try authenticator.in(project).accounts()["user\(index)"]
                #expect(account?.phoneNumber == "+165055501\(10 + index)")
                #expect(account?.email == "user\(index)@example.com")
            }
            #expect(refusals > 0)
        }

        @Test("a creation that fails before it begins deletes no account of the same uid")
        func existing() throws {
            try create(1, request: "first")
            authenticator.setDeadline(.now + .milliseconds(500))
            proxy.interrupt(afterCommands: 0, .hang)
            #expect(throws: AccountRefusal.self) { try create(1, request: "second") }
            #expect(proxy.hasInterrupted())
            authenticator.setDeadline(.now + .seconds(60))
            #expect(try authenticator.in(project).accounts()["user1"]?.email == "user1@example.com")
        }

        @Test("a creation that no replica confirms leaves no account, and can be repeated")
        func unconfirmed() throws {
            let confirmation = ReplicaConfirmation(replicas: 1, milliseconds: 10)
            let strict = deployment.authenticator(replicaConfirmation: confirmation)
            var change = AccountChange()
            change.phoneNumber = .set("+16505550111")
            change.email = .set("user1@example.com")
            do throws(AccountRefusal) {
                _ = try strict.in(project, request: "first").createAccount(uid: "user1", change)
                Issue.record("it was confirmed")
            } catch {
                guard case .failed(.unavailable) = error else { throw error }
            }
            #expect(try authenticator.in(project).accounts().isEmpty)
            try create(1, request: "second")
            try authenticator.in(project).expectSoundAccounts()
        }

        @Test(
            "a creation that fails leaves the account if a user or an operator has used it meanwhile",
            arguments: ["sign-in", "change"]
        )
        func usedMeanwhile(use: String) throws {
            try create(0, request: "first")
            authenticator.setDeadline(.now + .seconds(1))
            // After the account exists, or after it has taken the number.
            proxy.interrupt(afterScripts: use == "change" ? 1 : 4, .hang) { [deployment, project] in
                let other = deployment.authenticator().in(project)
                if use == "change" {
                    var change = AccountChange()
                    change.displayName = .set("Ada")
                    _ = try? other.changeAccount(uid: "user1", change)
                } else {
                    _ = try? other.signIn("+16505550111")
                }
            }
            #expect(throws: AccountRefusal.self) { try create(1, request: "first") }
            #expect(proxy.hasInterrupted())
            authenticator.setDeadline(.now + .seconds(60))
            let account = try #require(try authenticator.in(project).accounts()["user1"])
            #expect(use == "change" ? account.displayName == "Ada" : account.lastLoginAt != nil)
            #expect(!droppedSteps.all.contains("delete a half-made account of first-1"))
            #expect(try authenticator.in(project).accounts().keys.sorted() == ["user0", "user1"])
        }

        /// Imports an account whose number is already claimed for it, so that it is not imported in a batch.
        private func importAlone(
            _ index: Int,
            with authenticator: Authenticator
        ) throws(StoreUnavailable) -> String {
            var change = AccountChange()
            change.phoneNumber = .set("+165055501\(10 + index)")
            change.email = .set("user\(index)@example.com")
            let imported = ImportedAccount(uid: "user\(index)", change, source: [UInt8(index)])
            let direct = deployment.authenticator().in(project)
            if let candidate = try? direct.candidate(imported, 0), let number = candidate.assignments.number {
                let claim = direct.newClaim(uid: imported.uid)
                if try direct.store.claim(of: number.identity) == nil {
                    _ = try direct.store.claimIdentifiers([(number.identity, claim)], isConfirmed: true)
                }
            }
            return try authenticator.in(project).importAccounts([imported], .refuse).map { "\($0)" }[0]
        }

        @Test("whichever reply of Redis comes too late, the next import completes an account that is imported alone")
        func importedAlone() throws {
            var completions = 0
            try loseReplies { index throws(AccountRefusal) in
                do throws(StoreUnavailable) {
                    let outcome = try importAlone(index, with: authenticator)
                    #expect(outcome == "created")
                } catch {
                    throw .failed(.unavailable(error))
                }
            } whenFailed: { index in
                let isPresent = try authenticator.in(project).accounts()["user\(index)"] != nil
                let outcome = try importAlone(index, with: deployment.authenticator())
                #expect(outcome == "created" || outcome == "unchanged" && isPresent)
                if isPresent, outcome == "created" { completions += 1 }
                let account = try authenticator.in(project).accounts()["user\(index)"]
                #expect(account?.phoneNumber == "+165055501\(10 + index)")
                #expect(account?.email == "user\(index)@example.com")
            }
            #expect(completions > 2, "the number and the e-mail address were missing")
        }
    }
}

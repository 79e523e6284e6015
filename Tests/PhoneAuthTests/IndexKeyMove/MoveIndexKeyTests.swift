import Encodings
import PhoneNumbers
import Redis
import RedisScripts
import Testing

@testable import PhoneAuth

extension PhoneAuthTests {
    /// Moves of all claims to another index key, while no worker runs.
    @Suite struct MoveIndexKeyTests {
        @Test("after a move, each identifier leads to the same account as before")
        func move() throws {
            let test = try MovableDeployment()
            let accounts = try test.authenticator().in(test.project).accounts().count
            var moved = 0
            let id = try test.deployment.authenticator().moveIndexKey { moved = $0 }
            #expect(id == 2 && moved == accounts && test.state == "2")
            try test.expectEveryone(under: 2)

            let authenticator = try test.authenticator()
            let error = #expect(throws: SignUpRefusal.self) {
                try authenticator.in(test.project).signUp(test.email, request: "again")
            }
            guard case .credential(.emailExists)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            let other = try authenticator.in(test.project).signUp("eve@example.com", request: "eve")
            guard case .numberOfAnother = try authenticator.in(test.project).link(test.phone, to: other.idToken) else {
                Issue.record("the number was given twice")
                return
            }
            let before = test.deployment.sortedContents()
            try test.moveAll()
            #expect(test.deployment.sortedContents() == before, "there is nothing left to move")
        }

        @Test("a move killed after any step completes when it is run again", arguments: [true, false])
        func killed(isClaimed: Bool) throws {
            var count = 1
            while true {
                let test = try MovableDeployment(pendingUpTo: isClaimed)
                guard try test.beginMove(steps: count) else { break }
                #expect(test.state == "1>2")
                #expect(throws: StoreUnavailable.self) { try test.authenticator() }
                try test.moveAll()
                try test.expectEveryone(under: 2)
                let bySecond = try test.authenticator().in(test.project).signIn(test.pending, client: 3)
                // If the account had claimed the number, a sign-in with the number completes the interrupted link.
                #expect((bySecond.uid == test.pendingUser.uid) == isClaimed, "after \(count) steps")
                try test.authenticator().in(test.project).expectSoundAccounts()
                count += 1
            }
            #expect(count == 6)
        }

        @Test("a move stops before it changes anything if another process of Dialtone is connected")
        func otherClient() throws {
            let test = try MovableDeployment()
            let configuration = ConnectionConfiguration(
                servers: ServerList(.unix(path: test.deployment.socketPath)),
                database: test.deployment.database,
                clientName: "dialtone-other"
            )
            let other = Connection(configuration)
            _ = try other.send(Command("PING"))
            let before = test.deployment.lastingContents()
            let error = #expect(throws: IndexKeyMoveFailure.self) { try test.moveAll() }
            guard case .notAlone(let addresses)? = error, addresses.count == 1 else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(test.deployment.lastingContents() == before)
        }

        @Test("limits of numbers and addresses keep their counts, and known clients and networks stay known")
        func records() throws {
            let test = try MovableDeployment()
            let before = try test.authenticator()
            _ = try before.in(test.project).signIn(test.phone, client: 5)
            try before.in(test.project).guess(5, test.phone, clients: 10)
            try before.in(test.project).guess(3, test.testNumber, clients: 1)
            _ = before.in(test.project).signIn(test.email, password: "wrong", request: "w")
            let limits = try before.in(test.project).limits(of: test.phone)
            // The shortest name counts all networks; longer names count one network each.
            let pattern = "dt:{demo-app}:wrong-passwords:*"
            let names = test.deployment.keyNames(matching: pattern).sorted { $0.count < $1.count }
            let life = try #require(Int(test.deployment.cli("PTTL", names[0])))
            func remembered() throws -> [String] {
                try ["known-clients", "known-networks", "wrong-codes", "wrong-test-codes"].flatMap { kind in
                    let contents = test.deployment.sortedContents().filter { $0.key.contains(":\(kind):") }
                    try #require(!contents.isEmpty, "\(kind)")
                    return contents.values.map { "\(kind) \($0.joined(separator: " "))" }.sorted()
                }
            }
            let known = try remembered()
            try test.moveAll()
            #expect(try remembered() == known)
            let after = try test.authenticator()
            let moved = try after.in(test.project).limits(of: test.phone)
            #expect(moved.wrongCodes.value == limits.wrongCodes.value && limits.wrongCodes.value == 5)
            // The limits of the project decay meanwhile.
            #expect(moved.sends.prefix(2).map(\.events) == limits.sends.prefix(2).map(\.events))
            #expect(limits.sends[0].events > 0)
            let movedNames = test.deployment.keyNames(matching: pattern)
            #expect(movedNames.count == 1 && movedNames.allSatisfy { $0.contains(":2.") })
            let left = try #require(Int(test.deployment.cli("PTTL", movedNames[0])))
            #expect(left > 0 && left <= life)
            // A number has a hundred wrong codes, the last ten of them for its known clients.
            try after.in(test.project).guess(85, test.phone, clients: 2)
            _ = try after.in(test.project).signIn(test.phone, client: 5)
        }

        @Test("a series keeps its unverified messages, and the ledger still names it")
        func series() throws {
            let test = try MovableDeployment()
            let before = try test.authenticator()
            try before.prepare(.messages)
            for index in 0..<12 {
                _ = try before.in(test.project).session(for: "+165055502\(10 + index)", client: 20 + index)
            }
            for message in try before.take(PendingMessage.self, for: "test", wait: .milliseconds(1)) {
                try before.finish(message, .accepted(gateway: "main", receiptWithin: nil), refusedBy: [])
            }
            let series = RangePrefix.series(of: try before.phoneNumbers.parse(test.phone))
            func owed(_ authenticator: Authenticator, _ keys: ServerKeys) throws -> Int {
                try authenticator.store.debt(
                    of: .series(series.hash(in: test.project.id, keys), of: test.project.id),
                    authenticator.policy.tollFraud.bounds,
                    now: test.deployment.clock.now.milliseconds
                )
            }
            let debt = try owed(before, before.keys)
            #expect(debt > 0)
            let prefixes = try self.prefixes(before, test)
            try test.moveAll()
            let after = try test.authenticator()
            #expect(try owed(after, after.keys) == debt)
            #expect(try owed(after, before.keys) == 0)
            #expect(prefixes.contains(series.text))
            #expect(try self.prefixes(after, test) == prefixes)
        }

        /// Returns the series of each line of the ledger.
        private func prefixes(_ authenticator: Authenticator, _ test: MovableDeployment) throws -> [String] {
            try authenticator.in(test.project).messageReport(days: 1).lines.map { $0.prefix ?? "" }.sorted()
        }

        @Test("recovery codes stay valid, once each, as long as the key file has their key")
        func recoveryCodes() throws {
            let test = try MovableDeployment()
            try test.moveAll()
            let authenticator = try test.authenticator()
            let challenge = try authenticator.in(test.project).challenge(test.email)
            let id = test.emailUser.account.secondFactors[0].id
            func finish(_ code: String, _ request: String) -> SecondFactorOutcome {
                authenticator.outcome { () throws(SecondFactorRefusal) in
                    try authenticator.in(test.project).finish(
                        .totp(secondFactorID: id, code: code),
                        challenge,
                        request: request
                    )
                }
            }
            #expect(finish(test.recoveryCodes[0], "1") == .done)
            #expect(finish(test.recoveryCodes[0], "1") == .done, "a repeated request")
            #expect(finish(test.recoveryCodes[0], "2") == .answerWrong)
            let session = try authenticator.in(test.project).startSecondFactor(id, challenge)
            let tokens = try authenticator.in(test.project).finish(
                .phone(sessionInfo: session, code: try authenticator.in(test.project).code(of: session)),
                challenge
            )
            let codes = try authenticator.in(test.project).makeRecoveryCodes(idToken: tokens.idToken)
            let next = try authenticator.in(test.project).challenge(test.email)
            _ = try authenticator.in(test.project).finish(.totp(secondFactorID: id, code: codes[0]), next, request: "3")
        }

        @Test("a search of the audit log uses all index keys of the key file")
        func audit() throws {
            let test = try MovableDeployment()
            try test.moveAll()
            let authenticator = try test.authenticator()
            _ = try authenticator.in(test.project).signIn(test.phone)
            var filter = AuditFilter()
            filter.phoneNumber = test.phone
            var events = try authenticator.auditEvents(filter, among: [test.project])
            var kinds: [String] = []
            while let event = try events.next() { kinds.append(event.kind) }
            #expect(kinds == ["sign-up", "sign-in"])
        }

        @Test("an open session ends, but a temporary proof stays valid")
        func openProofs() throws {
            let test = try MovableDeployment()
            let before = try test.authenticator()
            let session = try before.in(test.project).session(for: test.phone, client: 7)
            let code = try before.in(test.project).code(of: session)
            let other = try before.in(test.project).signUp("eve@example.com", request: "eve")
            let link = try before.in(test.project).link(test.phone, to: other.idToken, client: 8)
            guard case .numberOfAnother(let proof) = link else {
                Issue.record("\(link)")
                return
            }
            try test.moveAll()
            let after = try test.authenticator()
            #expect(after.in(test.project).answer(session, code, request: "s") == .expired)
            #expect(after.in(test.project).answer(proof: proof, test.phone).uid == test.phoneUser.uid)
        }

        @Test("an account that cannot be decrypted stops a move before it changes anything")
        func unreadable() throws {
            let test = try MovableDeployment()
            let key = try #require(test.deployment.accountKey(of: test.phoneUser.uid))
            test.deployment.cli("HSET", key, "phone", "none")
            let failure = IndexKeyMoveFailure.accountUnreadable(project: test.project.id, uid: test.phoneUser.uid)
            #expect(throws: failure) { try test.moveAll() }
            #expect(test.state.isEmpty)
            #expect(
                try test.authenticator().in(test.project).signIn(test.pendingHolder, client: 2).uid
                    == test.pendingUser.uid
            )
        }
    }
}

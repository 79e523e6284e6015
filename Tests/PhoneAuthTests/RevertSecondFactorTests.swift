import RedisStore
import TestServers
import Testing

@testable import PhoneAuth

extension PhoneAuthTests {
    /// Users who undo that a second factor was added.
    @Suite struct RevertSecondFactorTests {
        let deployment: Deployment
        let hooks = TestHooks()
        let authenticator: Authenticator
        let project: Project
        let number = "+16505550187"

        init() throws {
            (deployment, _) = try Deployment.ofManyMessages()
            authenticator = deployment.authenticator(passwordHashing: try TestPasswordHashing.make(), hooks: hooks)
            project = deployment.project(secondFactors: .optional, hooks: try .example())
        }

        private enum Outcome: Equatable {
            case reverted, invalid, expired
            case failed(String)
        }

        private func outcome<Result>(_ operation: () throws(RevertSecondFactorRefusal) -> Result) -> Outcome {
            do {
                _ = try operation()
                return .reverted
            } catch {
                switch error {
                case .codeInvalid: return .invalid
                case .codeExpired: return .expired
                case .failed: return .failed("\(error)")
                }
            }
        }

        private func revert(_ code: String, request: String = "revert", in other: Project? = nil) -> Outcome {
            outcome { () throws(RevertSecondFactorRefusal) in
                try authenticator.revertSecondFactor(code, requestID: request, in: other ?? project)
            }
        }

        private func check(_ code: String, in other: Project? = nil) -> Outcome {
            outcome { () throws(RevertSecondFactorRefusal) in
                try authenticator.checkSecondFactorRevert(code, in: other ?? project)
            }
        }

        private func wait(_ seconds: Int64) { deployment.clock.advance(by: .seconds(seconds)) }

        private func account() throws -> Account { try #require(try authenticator.accounts(of: project).values.first) }

        /// A user who has just got a phone as second factor, and the code that undoes it.
        private func enrolled() throws -> (tokens: IssuedTokens, code: String) {
            let user = try authenticator.secondFactorUser(in: project)
            _ = hooks.asked()
            let tokens = try authenticator.enroll(number, user.idToken, name: "Mine", in: project)
            return (tokens, try #require(hooks.asked().first).claims.text("revert_code"))
        }

        private func kinds() throws -> [String] {
            var filter = AuditFilter()
            filter.kinds = [.secondFactorWithdrawn, .tokensRevoked]
            var events = try authenticator.auditEvents(filter, among: [project])
            var kinds: [String] = []
            while let event = try events.next() { kinds.append(event.kind) }
            return kinds
        }

        @Test("a factor goes with all tokens and recovery codes, once; the others stay")
        func revert() throws {
            let (phone, code) = try enrolled()
            let (both, _) = try authenticator.enrollApp(phone.idToken, in: project)
            _ = try authenticator.makeRecoveryCodes(idToken: both.idToken, in: project)
            let (account, factor) = try authenticator.checkSecondFactorRevert(code, in: project)
            #expect(account.email == "ada@example.com" && account.uid == both.account.uid)
            #expect(factor.kind == .phone(number: number) && factor.displayName == "Mine")
            #expect(try self.account().secondFactors.count == 2, "to check changes nothing")
            let before = try kinds().count
            wait(1)
            #expect(revert(code) == .reverted)
            #expect(try kinds().dropFirst(before) == ["tokens-revoked", "second-factor-withdrawn"])
            let left = try self.account()
            #expect(left.secondFactors.map(\.kind) == [.totp])
            #expect(left.recoveryCodes == 0 && left.revokedAt == deployment.clock.now.seconds + 1)
            #expect(authenticator.look(up: both.idToken, in: project) == .revoked)
            #expect(authenticator.refresh(both.refreshToken, in: project) == .revoked)
            wait(1)
            let contents = deployment.sortedContents()
            #expect(revert(code) == .reverted, "a repeated request")
            #expect(revert(code, request: "another") == .invalid)
            #expect(check(code) == .invalid)
            #expect(deployment.sortedContents() == contents)
        }

        @Test("whose account is disabled may, and where the project has neither second factors nor hooks any more")
        func always() throws {
            let (tokens, code) = try enrolled()
            var change = AccountChange()
            change.isDisabled = true
            _ = try authenticator.changeAccount(uid: tokens.account.uid, change, in: project)
            let off = deployment.project(secondFactors: .off)
            #expect(check(code, in: off) == .reverted)
            #expect(revert(code, in: off) == .reverted)
            let left = try account()
            #expect(left.secondFactors.isEmpty && left.isDisabled)
        }

        @Test("a code is good for seven days")
        func expiry() throws {
            let (_, code) = try enrolled()
            deployment.clock.advance(by: Policy.secondFactorRevertLifetime - .milliseconds(1))
            #expect(check(code) == .reverted)
            deployment.clock.advance(by: .milliseconds(1))
            #expect(check(code) == .expired)
            #expect(revert(code) == .expired)
            #expect(try account().secondFactors.count == 1)
        }

        @Test(
            "what is no code of the project's, or whose account or factor is gone, undoes nothing, and no code lies in Redis"
        )
        func invalid() throws {
            let (tokens, code) = try enrolled()
            #expect(!deployment.contents().contains { $0.value.contains(code) })
            let pending = try authenticator.challenge(in: project).pendingCredential
            var changed = Array(code)
            changed[changed.count / 2] = changed[changed.count / 2] == "A" ? "B" : "A"
            for other in [
                "", "x", tokens.idToken, tokens.refreshToken, pending, String(changed), code + "A",
                String(code.dropLast()),
                String(repeating: "A", count: 5000),
            ] {
                #expect(check(other) == .invalid && revert(other) == .invalid)
            }
            let another = Project(id: "another", authorizedDomains: [])
            #expect(check(code, in: another) == .invalid && revert(code, in: another) == .invalid)
            #expect(try account().secondFactors.count == 1)
            #expect(
                authenticator.outcome { () throws(SecondFactorRefusal) in
                    try authenticator.pendingUser(code, in: project)
                } == .pendingCredentialInvalid
            )
            let factor = try account().secondFactors[0].id
            let withdrawn = try authenticator.withdrawSecondFactor(factor, idToken: tokens.idToken, in: project)
            #expect(check(code) == .invalid && revert(code) == .invalid)
            #expect(authenticator.look(up: withdrawn.idToken, in: project) == .found(uid: withdrawn.account.uid))
            try authenticator.deleteAccount(idToken: withdrawn.idToken, requestID: "d", in: project)
            #expect(check(code) == .invalid && revert(code) == .invalid)
        }

        @Test("of those who undo it at the same time one does", arguments: [false, true])
        func races(withWithdrawal: Bool) throws {
            let (tokens, code) = try enrolled()
            let factor = try account().secondFactors[0].id
            let outcomes = try inParallel(8) { [deployment, project] racer -> Outcome in
                let authenticator = deployment.authenticator()
                if withWithdrawal, racer.isMultiple(of: 2) {
                    let outcome = authenticator.outcome { () throws(SecondFactorRefusal) in
                        try authenticator.withdrawSecondFactor(factor, idToken: tokens.idToken, in: project)
                    }
                    if outcome == .done { return .reverted }
                    let isLate = [.factorUnknown, .notAuthenticated(.revoked)].contains(outcome)
                    return isLate ? .invalid : .failed("\(outcome)")
                }
                do throws(RevertSecondFactorRefusal) {
                    _ = try authenticator.revertSecondFactor(code, requestID: "\(racer)", in: project)
                    return .reverted
                } catch {
                    guard case .codeInvalid = error else { return .failed("\(error)") }
                    return .invalid
                }
            }
            #expect(outcomes.count { $0 == .reverted } == 1)
            #expect(outcomes.count { $0 == .invalid } == 7)
            #expect(try account().secondFactors.isEmpty)
            #expect(try kinds().count { $0 == "second-factor-withdrawn" } == 1)
        }
    }
}

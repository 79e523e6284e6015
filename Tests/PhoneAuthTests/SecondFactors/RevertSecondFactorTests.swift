import Encodings
import RedisScripts
import Testing
import TestServers

@testable import PhoneAuth

extension PhoneAuthTests {
    /// Reverting the enrollment of a second factor.
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
                try authenticator.in(other ?? project, request: request).revertSecondFactor(code)
            }
        }

        private func check(_ code: String, in other: Project? = nil) -> Outcome {
            outcome { () throws(RevertSecondFactorRefusal) in
                try authenticator.in(other ?? project).checkSecondFactorRevert(code)
            }
        }

        private func wait(_ seconds: Int64) { deployment.clock.advance(by: .seconds(seconds)) }

        private func account() throws -> Account { try #require(try authenticator.in(project).accounts().values.first) }

        /// Returns the tokens of a user who has just enrolled a phone, and the code that reverts the enrollment.
        private func enrolled() throws -> (tokens: IssuedTokens, code: String) {
            let user = try authenticator.in(project).secondFactorUser()
            _ = hooks.asked()
            let tokens = try authenticator.in(project).enroll(number, user.idToken, name: "Mine")
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

        @Test("reverting removes a factor, all tokens and recovery codes, once; other factors stay")
        func revert() throws {
            let (phone, code) = try enrolled()
            let (both, _) = try authenticator.in(project).enrollApp(phone.idToken)
            _ = try authenticator.in(project).makeRecoveryCodes(idToken: both.idToken)
            let (account, factor) = try authenticator.in(project).checkSecondFactorRevert(code)
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
            #expect(authenticator.in(project).look(up: both.idToken) == .revoked)
            #expect(authenticator.in(project).refresh(both.refreshToken) == .revoked)
            wait(1)
            let contents = deployment.sortedContents()
            #expect(revert(code) == .reverted, "a repeated request")
            #expect(revert(code, request: "another") == .invalid)
            #expect(check(code) == .invalid)
            #expect(deployment.sortedContents() == contents)
        }

        @Test("reverting works for disabled accounts, and while second factors or hooks are disabled")
        func always() throws {
            let (tokens, code) = try enrolled()
            var change = AccountChange()
            change.isDisabled = true
            _ = try authenticator.in(project).changeAccount(uid: tokens.account.uid, change)
            let off = deployment.project(secondFactors: .off)
            #expect(check(code, in: off) == .reverted)
            #expect(revert(code, in: off) == .reverted)
            let left = try account()
            #expect(left.secondFactors.isEmpty && left.isDisabled)
        }

        @Test("a revert code is valid for seven days")
        func expiry() throws {
            let (_, code) = try enrolled()
            deployment.clock.advance(by: SecondFactorRevertCode.lifetime - .milliseconds(1))
            #expect(check(code) == .reverted)
            deployment.clock.advance(by: .milliseconds(1))
            #expect(check(code) == .expired)
            #expect(revert(code) == .expired)
            #expect(try account().secondFactors.count == 1)
        }

        @Test(
            "an invalid code, or one without an existing account and factor, changes nothing, and no code is in Redis"
        )
        func invalid() throws {
            let (tokens, code) = try enrolled()
            #expect(!deployment.contents().contains { $0.value.contains(code) })
            let pending = try authenticator.in(project).challenge().pendingCredential
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
                    try authenticator.in(project).pendingUser(code)
                } == .pendingCredentialInvalid
            )
            let factor = try account().secondFactors[0].id
            let withdrawn = try authenticator.in(project).withdrawSecondFactor(factor, idToken: tokens.idToken)
            #expect(check(code) == .invalid && revert(code) == .invalid)
            #expect(authenticator.in(project).look(up: withdrawn.idToken) == .found(uid: withdrawn.account.uid))
            try authenticator.in(project, request: "d").deleteAccount(idToken: withdrawn.idToken)
            #expect(check(code) == .invalid && revert(code) == .invalid)
        }

        @Test("of concurrent reverts, one succeeds", arguments: [false, true])
        func races(withWithdrawal: Bool) throws {
            let (tokens, code) = try enrolled()
            let factor = try account().secondFactors[0].id
            let outcomes = try inParallel(8) { [deployment, project] racer -> Outcome in
                let authenticator = deployment.authenticator()
                if withWithdrawal, racer.isMultiple(of: 2) {
                    let outcome = authenticator.outcome { () throws(SecondFactorRefusal) in
                        try authenticator.in(project).withdrawSecondFactor(factor, idToken: tokens.idToken)
                    }
                    if outcome == .done { return .reverted }
                    let isLate = [.factorUnknown, .notAuthenticated(.revoked)].contains(outcome)
                    return isLate ? .invalid : .failed("\(outcome)")
                }
                do throws(RevertSecondFactorRefusal) {
                    _ = try authenticator.in(project, request: "\(racer)").revertSecondFactor(code)
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

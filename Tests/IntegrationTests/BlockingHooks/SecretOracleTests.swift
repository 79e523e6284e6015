import Encodings
import GatewayStandIn
import Synchronization
import TestServers
import Testing

/// Responses before an attempt is counted, in a project with blocking hooks. They must not reveal whether a secret is
/// correct.
@Suite(.timeLimit(.minutes(30))) struct SecretOracleTests {
    /// The secrets that an attacker guesses.
    enum Secret: CaseIterable {
        case code, secondFactorCode, totp, recoveryCode, password, temporaryProof
    }

    /// The reasons for which any secret is rejected.
    enum State {
        /// Only busy hooks prevent the sign-in.
        case ready
        /// Too many wrong secrets were entered.
        case blocked
        /// The session has no attempts left.
        case exhausted
        case expired
        case used
    }

    /// The same request with the correct and with a wrong secret. In its state, neither request uses anything up.
    struct Guess: Sendable {
        let state: State
        let right: @Sendable () throws -> HTTPAnswer
        let wrong: @Sendable () throws -> HTTPAnswer
    }

    @Test(
        "in every blocked, busy, expired or exhausted state, correct and wrong secrets get the same response",
        arguments: Secret.allCases
    )
    func sameResponse(secret: Secret) async throws {
        let deployment = try await HookDeployment.start(
            events: ["SIGN_IN"],
            // One thread of four may wait for hooks.
            settings: [
                "THREADS": "4", "WRONG_CODES_PER_NUMBER": "6", "WRONG_CODES_BEFORE_WAIT": "100",
                "WRONG_PASSWORDS_PER_EMAIL_AND_NETWORK_PER_HOUR": "3", "SENDS_PER_NUMBER_PER_HOUR": "100",
                // A code of the previous step stays valid if the next step begins before it is verified.
                "PROJECT_DEMO_DIALTONE_TOTP_ADJACENT_INTERVALS": "10",
            ]
        )
        let guesses = try guesses(at: secret, deployment)
        for guess in guesses where guess.state != .ready {
            try expectSameResponse(guess, status: 400, deployment)
        }
        var isTested = false
        for _ in 0..<5 where !isTested {
            // On a loaded machine this may take longer than a hook may hang.
            let ready = try readyGuess(at: secret, deployment)
            isTested = try whileHooksHang(deployment) {
                for guess in guesses.filter({ $0.state != .ready }) + [ready] {
                    // The validity of an ended proof is checked before a hook slot is taken.
                    let isEnded = guess.state == .expired && (secret == .totp || secret == .recoveryCode)
                    try expectSameResponse(guess, status: isEnded ? 400 : 503, deployment)
                }
            }
            guard isTested else { continue }
            // The correct secret was neither used up nor counted.
            let signedIn = try ready.right()
            #expect(signedIn.status == 200, "\(signedIn.text)")
        }
        #expect(isTested)
    }

    // MARK: Comparison

    /// Sends both requests twice, and compares everything that an attacker or a reader of the log sees.
    private func expectSameResponse(_ guess: Guess, status: Int, _ deployment: HookDeployment) throws {
        let hookCalls = deployment.hooks.requests.count
        let answers = try [guess.wrong(), guess.right(), guess.wrong(), guess.right()]
        let seen = answers.map { visible($0, deployment.server) }
        #expect(answers[0].status == status, "\(guess.state): \(answers[0].text)")
        for other in seen.dropFirst() { #expect(other == seen[0], "\(guess.state)") }
        #expect(deployment.hooks.requests.count == hookCalls, "\(guess.state)")
    }

    /// Returns a response and its log lines, without times and ids of the request. The wait may have decreased by a
    /// second.
    private func visible(_ answer: HTTPAnswer, _ server: RunningServer) -> [String] {
        let wait = answer.headers["retry-after"] ?? ""
        var lines = ["\(answer.status)"]
        for (name, value) in answer.headers.sorted(by: { $0.key < $1.key }) {
            let isOwn = ["date", "x-request-id", "dialtone-reference"].contains(name)
            lines.append(name + ": " + (isOwn ? "" : name == "retry-after" && answer.status != 503 ? "seconds" : value))
        }
        lines.append(answer.text)
        let id = answer.headers["x-request-id"] ?? "none"
        var logged: [Substring] = []
        // The lines of the worker and of nginx.
        _ = eventually {
            logged = server.log.split(separator: "\n").filter { $0.contains("\"\(id)\"") }
            return logged.count >= 2
        }
        for line in logged {
            guard case .object(let members) = try? JSONValue.parse(Array(line.utf8)) else { continue }
            let own = [
                "time", "requestId", "reference", "durationMicroseconds", "seconds", "upstreamSeconds", "requestBytes",
            ]
            for member in members.members.sorted(by: { $0.name < $1.name }) where !own.contains(member.name) {
                let value = "\(member.value)"
                lines.append(
                    "\(member.name)=" + (wait.isEmpty ? value : value.replacing("retry in \(wait) s", with: "retry"))
                )
            }
        }
        return lines
    }

    /// Runs `work` while a hook occupies all hook slots. Returns false if the hook's time was over before the work was
    /// done.
    private func whileHooksHang(_ deployment: HookDeployment, _ work: @escaping @Sendable () throws -> Void) throws
        -> Bool
    {
        let server = deployment.server
        let hanging = try deployment.answer(SecondFactorUser.freshNumber())
        let before = deployment.hooks.requests.count
        deployment.hooks.queue(.silence)
        let isOver = Mutex(false)
        return try inParallel(2) { racer -> Bool in
            if racer == 0 {
                defer { isOver.withLock { $0 = true } }
                _ = try server.signIn(hanging.session, hanging.code)
                return true
            }
            #expect(eventually { deployment.hooks.requests.count > before })
            try work()
            return isOver.withLock { !$0 }
        }[1]
    }

    // MARK: Secrets in their states

    private func guesses(at secret: Secret, _ deployment: HookDeployment) throws -> [Guess] {
        let server = deployment.server
        switch secret {
        case .code:
            return try [State.blocked, .exhausted, .expired, .used].map { try code(in: $0, server) }
        case .secondFactorCode:
            return try [State.blocked, .exhausted, .expired, .used].map { try secondFactorCode(in: $0, server) }
        case .totp: return try [State.blocked, .expired].map { try totp(in: $0, server) }
        case .recoveryCode: return try [State.blocked, .expired].map { try recoveryCode(in: $0, server) }
        case .password: return try [password(in: .blocked, server)]
        case .temporaryProof: return []
        }
    }

    private func readyGuess(at secret: Secret, _ deployment: HookDeployment) throws -> Guess {
        let server = deployment.server
        return switch secret {
        case .code: try code(in: .ready, server)
        case .secondFactorCode: try secondFactorCode(in: .ready, server)
        case .totp: try totp(in: .ready, server)
        case .recoveryCode: try recoveryCode(in: .ready, server)
        case .password: try password(in: .ready, server)
        case .temporaryProof: try temporaryProof(server)
        }
    }

    private func code(in state: State, _ server: RunningServer) throws -> Guess {
        let number = SecondFactorUser.freshNumber()
        return try session(in: state, server) {
            try server.openVerification(number)
        } _: { session, code in
            try server.signIn(session, code)
        }
    }

    private func secondFactorCode(in state: State, _ server: RunningServer) throws -> Guess {
        var user = try SecondFactorUser(server)
        let id = try user.enroll(SecondFactorUser.freshNumber())
        let credential = try user.pendingCredential()
        return try session(in: state, server) {
            try server.openSecondFactor(credential, id)
        } _: { session, code in
            try server.finishPhone(credential, session, code)
        }
    }

    /// Returns requests that submit codes to a verification session.
    private func session(
        in state: State,
        _ server: RunningServer,
        _ open: () throws -> String,
        _ answer: @escaping @Sendable (_ session: String, _ code: String) throws -> HTTPAnswer
    ) throws -> Guess {
        var session = try open()
        var code = try server.code(of: session)
        switch state {
        case .ready: break
        case .blocked:
            for _ in 0..<30 {
                let refused = try answer(session, wrongCode(besides: code))
                if refused.headers["retry-after"] != nil { break }
                guard refused.errorMessage == "TOO_MANY_ATTEMPTS_TRY_LATER" else { continue }
                session = try open()
                code = try server.code(of: session)
            }
        case .exhausted: for _ in 0..<5 { _ = try answer(session, wrongCode(besides: code)) }
        case .expired:
            for key in server.redis.cli("KEYS", "dt:{*}:sess:*").split(whereSeparator: \.isNewline).map(String.init) {
                // The fourth line of an open session is its end.
                let script = """
                    local session = redis.call('GET', KEYS[1])
                    local ended = string.gsub(session, '^(open\\n%d+\\n%d+\\n%S+\\n)%d+', '%11')
                    return redis.call('SET', KEYS[1], ended, 'KEEPTTL')
                    """
                _ = server.redis.cli("EVAL", script, "1", key)
            }
        case .used: #expect(try answer(session, code).status == 200)
        }
        let (right, wrong) = (code, wrongCode(besides: code))
        return Guess(state: state) { [session] in
            try answer(session, right)
        } wrong: { [session] in
            try answer(session, wrong)
        }
    }

    private func totp(in state: State, _ server: RunningServer) throws -> Guess {
        var user = try SecondFactorUser(server)
        let (id, app) = try user.enrollApp(stepsAgo: 1)
        let credential = try user.pendingCredential()
        return try proof(in: state, user) {
            try server.finishApp(credential, id, app.code())
        } wrong: {
            try server.finishApp(credential, id, wrongCode(besides: app.code(), 4711))
        }
    }

    private func recoveryCode(in state: State, _ server: RunningServer) throws -> Guess {
        var (user, other) = (try SecondFactorUser(server), try SecondFactorUser(server))
        let (id, _) = try user.enrollApp()
        _ = try other.enrollApp()
        let right = try #require(try user.makeRecoveryCodes().first)
        let wrong = try #require(try other.makeRecoveryCodes().first)
        let credential = try user.pendingCredential()
        return try proof(in: state, user) {
            try server.finishApp(credential, id, right)
        } wrong: {
            try server.finishApp(credential, id, wrong)
        }
    }

    /// Returns proofs of a second factor whose attempts the account itself counts.
    private func proof(
        in state: State,
        _ user: SecondFactorUser,
        right: @escaping @Sendable () throws -> HTTPAnswer,
        wrong: @escaping @Sendable () throws -> HTTPAnswer
    ) throws -> Guess {
        if state == .blocked { for _ in 0..<30 where try wrong().headers["retry-after"] == nil {} }
        if state == .expired {
            let fields = #"{"localId":"\#(user.uid)","password":"another password"}"#
            #expect(try user.server.administer("update", fields).status == 200)
        }
        return Guess(state: state, right: right, wrong: wrong)
    }

    private func password(in state: State, _ server: RunningServer) throws -> Guess {
        let user = try SecondFactorUser(server)
        let guess = Guess(state: state) {
            try user.signIn()
        } wrong: {
            try user.signIn("wrong password")
        }
        if state == .blocked { for _ in 0..<30 where try guess.wrong().headers["retry-after"] == nil {} }
        return guess
    }

    /// Returns a proof of a number that another account has.
    private func temporaryProof(_ server: RunningServer) throws -> Guess {
        let (taken, own) = (SecondFactorUser.freshNumber(), SecondFactorUser.freshNumber())
        #expect(try server.signInFresh(taken).status == 200)
        let idToken = try #require(try server.signInFresh(own)["idToken"])
        let session = try server.openVerification(taken)
        let linked = try server.post(
            "/v1/accounts:signInWithPhoneNumber",
            #"{"sessionInfo":"\#(session)","code":"\#(try server.code(of: session))","idToken":"\#(idToken)"}"#
        )
        let proof = try #require(linked["temporaryProof"], "\(linked.text)")
        @Sendable func use(_ proof: String) throws -> HTTPAnswer {
            try server.post(
                "/v1/accounts:signInWithPhoneNumber",
                #"{"temporaryProof":"\#(proof)","phoneNumber":"\#(taken)"}"#
            )
        }
        return Guess(state: .ready) {
            try use(proof)
        } wrong: {
            try use(String(proof.reversed()))
        }
    }
}

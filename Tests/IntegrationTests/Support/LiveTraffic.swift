import Encodings
import Glibc
import Synchronization
import TestServers

/// Clients that use a deployment until they are stopped, and record what was acknowledged.
///
/// Like real users, they repeat requests that got 503, and request another code if a sign-in got 503.
final class LiveTraffic: Sendable {
    /// The number of clients. Some sign in with new and with known numbers; the others refresh sessions and look up
    /// accounts.
    static let clientCount = 4
    private static let signingIn = 2
    /// The time for which a client of the last checks repeats requests after 503, and for which each client waits for a
    /// message.
    private static let patience: Duration = .seconds(60)

    /// An acknowledged session with its latest tokens.
    struct Session {
        let number: String
        let uid: String
        var idToken: String
        var refreshToken: String
    }

    struct Record {
        /// The uid of each number whose account was acknowledged.
        var uids: [String: String] = [:]
        var sessions: [Session] = []
        /// The codes that signed in, each with its session.
        var usedCodes: [(session: String, code: String)] = []
        var successes = 0
        var unavailable = 0
        /// Descriptions of what must not happen.
        var faults: [String] = []
        fileprivate var lastSuccess: ContinuousClock.Instant?
        /// The longest time between two successes of any clients.
        var longestGap = Duration.zero
    }

    private let server: RunningServer
    private let inbox: Inbox
    private let state = Mutex(Record())
    private let isOver = Atomic(false)

    init(_ deployment: MessageDeployment) {
        server = deployment.server
        inbox = Inbox(deployment.first)
    }

    var record: Record { state.withLock { $0 } }

    /// Runs the clients while `work` runs on another thread.
    /// - Returns: what `work` returns, such as servers that must continue to run.
    @discardableResult func run<Value: Sendable>(
        during work: @escaping @Sendable () throws -> Value
    ) throws -> [Value] {
        let results = try inParallel(Self.clientCount + 1) { number -> Value? in
            if number < Self.clientCount {
                self.use(number)
                return nil
            }
            defer { self.isOver.store(true, ordering: .relaxed) }
            return try work()
        }
        return results.compactMap(\.self)
    }

    /// Waits until this many further requests have succeeded.
    func waitForSuccesses(_ count: Int) -> Bool {
        let before = record.successes
        return eventually(within: .seconds(60)) { record.successes >= before + count }
    }

    private func use(_ client: Int) {
        var generator = SplitMix(seed: UInt64(client))
        var turn = 0
        while !isOver.load(ordering: .relaxed) {
            turn += 1
            if client < Self.signingIn {
                // A third of the sign-ins use known numbers.
                signIn(turn.isMultiple(of: 3) ? knownNumber(client, &generator) : Self.number(client, turn))
            } else {
                useSession(client, &generator)
            }
            usleep(50_000)
        }
    }

    private static func number(_ client: Int, _ turn: Int) -> String {
        "+1650555" + String(String(10_000 + turn * signingIn + client).suffix(4))
    }

    // MARK: Sign-ins

    private func knownNumber(_ client: Int, _ generator: inout SplitMix) -> String {
        let numbers = state.withLock { $0.sessions.map(\.number) }.filter {
            Int($0.suffix(4)).map { $0 % Self.signingIn } == client
        }
        return numbers.randomElement(using: &generator) ?? Self.number(client, 0)
    }

    /// Signs in with a number, requesting further codes as long as responses are 503.
    /// - Returns: whether the client got a response before the end.
    @discardableResult func signIn(_ number: String, isLast: Bool = false) -> Bool {
        var codes: [String: String] = [:]
        let end = ContinuousClock.now + Self.patience
        while isLast ? .now < end : !isOver.load(ordering: .relaxed) {
            let received = inbox.codes(to: number).count
            guard let session = request("send", isLast, { try $0.sendVerificationCode(number) })?["sessionInfo"] else {
                return false
            }
            // A client that requests another code may get its earlier session, without another message.
            if codes[session] == nil, eventually(within: Self.patience, { inbox.codes(to: number).count > received }) {
                codes[session] = inbox.codes(to: number).last
            }
            guard let code = codes[session] else {
                fault("no message arrived")
                return false
            }
            guard let answer = attempt("sign-in", { try $0.signIn(session, code) }) else { continue }
            guard answer.status == 200 else { return false }
            take(answer, number, session, code)
            return true
        }
        return false
    }

    private func take(_ answer: HTTPAnswer, _ number: String, _ session: String, _ code: String) {
        guard let uid = answer["localId"], let idToken = answer["idToken"], let refreshToken = answer["refreshToken"]
        else { return fault("a sign-in without tokens") }
        let count = state.withLock { record in
            if record.uids[number, default: uid] != uid { record.faults.append("another account for a known number") }
            record.uids[number] = uid
            record.sessions.append(
                Session(number: number, uid: uid, idToken: idToken, refreshToken: refreshToken)
            )
            record.usedCodes.append((session, code))
            return record.usedCodes.count
        }
        if count.isMultiple(of: 4) { replay(session, code) }
    }

    /// Submits a code that has already signed in.
    func replay(_ session: String, _ code: String) {
        guard let answer = try? server.signIn(session, code), [400, 503].contains(answer.status) else {
            return fault("a code was accepted twice")
        }
    }

    // MARK: Sessions

    private func useSession(_ client: Int, _ generator: inout SplitMix) {
        let others = Self.clientCount - Self.signingIn
        let own = record.sessions.indices.filter { $0 % others == client - Self.signingIn }
        guard let index = own.randomElement(using: &generator) else { return }
        check(index, isLast: false, Bool.random(using: &generator) ? [refresh] : [lookUp])
    }

    /// Checks that each session and its account exist.
    func checkAllSessions() {
        for index in record.sessions.indices { check(index, isLast: true, [refresh, lookUp]) }
    }

    private func check(_ index: Int, isLast: Bool, _ checks: [(Int, Session, Bool) -> String?]) {
        for check in checks {
            let session = record.sessions[index]
            if let uid = check(index, session, isLast), uid != session.uid { fault("a session has another account") }
        }
    }

    /// Refreshes a session.
    /// - Returns: its uid; nil without a response.
    private func refresh(_ index: Int, _ session: Session, _ isLast: Bool) -> String? {
        let token = session.refreshToken
        guard let answer = request("refresh", isLast, { try $0.refresh(token) }) else { return nil }
        guard let idToken = answer["id_token"], let refreshToken = answer["refresh_token"] else {
            fault("a refresh without tokens")
            return nil
        }
        state.withLock {
            $0.sessions[index].idToken = idToken
            $0.sessions[index].refreshToken = refreshToken
        }
        return answer["user_id"] ?? ""
    }

    private func lookUp(_ index: Int, _ session: Session, _ isLast: Bool) -> String? {
        guard let answer = request("look-up", isLast, { try $0.lookUp(session.idToken) }) else { return nil }
        guard case .array(let users) = answer.json["users"], case .object(let user)? = users.first else { return "" }
        return user.text("phoneNumber") == session.number ? user.text("localId") : "another number"
    }

    // MARK: Requests

    /// Sends a request until the response is not 503.
    /// - Returns: the response with 200; nil for another status, or at the end.
    private func request(_ name: String, _ isLast: Bool, _ send: (RunningServer) throws -> HTTPAnswer) -> HTTPAnswer? {
        let end = ContinuousClock.now + Self.patience
        while true {
            if let answer = attempt(name, send) { return answer.status == 200 ? answer : nil }
            if isLast, .now > end { fault("\(name): always 503") }
            guard isLast ? .now < end : !isOver.load(ordering: .relaxed) else { return nil }
            usleep(100_000)
        }
    }

    /// Sends a request once.
    /// - Returns: the response; nil for 503 or without a response.
    private func attempt(_ name: String, _ send: (RunningServer) throws -> HTTPAnswer) -> HTTPAnswer? {
        let answer: HTTPAnswer
        do {
            answer = try send(server)
        } catch {
            fault("\(name): \(error)")
            return nil
        }
        state.withLock { record in
            switch answer.status {
            case 200:
                let now = ContinuousClock.now
                if let last = record.lastSuccess { record.longestGap = max(record.longestGap, last.duration(to: now)) }
                record.lastSuccess = now
                record.successes += 1
            case 503: record.unavailable += 1
            default: record.faults.append("\(name): \(answer.status) \(answer.errorMessage ?? "")")
            }
        }
        return answer.status == 503 ? nil : answer
    }

    private func fault(_ text: String) {
        state.withLock { $0.faults.append(text) }
    }
}

import Encodings
import Testing

/// A request over which a worker dies, what its user does then, and what must be so in the end.
struct AccountOperation: Sendable, CustomTestStringConvertible {
    /// Accounts and proofs as they are before the request.
    struct Attempt {
        /// The request.
        let request: () throws -> HTTPAnswer
        /// What a user does after a failure; returns the final response.
        let again: () throws -> HTTPAnswer
        /// Uses the account from the last answer, and says whether all is as if nothing had happened.
        let check: (HTTPAnswer) throws -> Void
        /// Accounts that must be there at each moment.
        var kept: [String] = []
        /// How many accounts there are more at the end than before the request.
        let accountsMade: Int

        /// Checks what holds once the last answer is there, whatever failed before: its tokens are good, the accounts
        /// are sound, and there are as many as the operation makes.
        func checkEnd(
            _ answer: HTTPAnswer,
            accountsBefore: Int,
            _ server: RunningServer,
            _ context: Comment
        ) throws {
            if let idToken = answer["idToken"], let refreshToken = answer["refreshToken"] {
                #expect(try server.lookUp(idToken).status == 200, context)
                #expect(try server.refresh(refreshToken).status == 200, context)
            }
            try check(answer)
            let after = AccountAudit(server.redis)
            #expect(after.faults == [] && after.orphans == [], context)
            #expect(after.uids.count == accountsBefore + accountsMade, context)
        }
    }

    let testDescription: String
    /// Whether nginx repeats it, as shipped.
    let isRepeatable: Bool
    let prepare: @Sendable (InterruptedServer) throws -> Attempt

    init(_ name: String, isRepeatable: Bool, _ prepare: @escaping @Sendable (InterruptedServer) throws -> Attempt) {
        testDescription = name
        self.isRepeatable = isRepeatable
        self.prepare = prepare
    }

    static let all = byNumber + byEmail + bySecondFactor
}

extension RunningServer {
    /// Proves a number; `extra` are more members of the request.
    func prove(_ number: String, _ extra: String = "") throws -> HTTPAnswer {
        try answer(try openSession(number), extra)
    }

    /// Answers a session rightly.
    func answer(_ session: String, _ extra: String = "") throws -> HTTPAnswer {
        try post(
            "/v1/accounts:signInWithPhoneNumber",
            #"{"sessionInfo":"\#(session)","code":"\#(try code(of: session))"\#(extra)}"#
        )
    }

    /// The request that answers a session rightly; the code is looked up beforehand.
    func preparedAnswer(_ number: String, _ extra: String = "") throws -> () throws -> HTTPAnswer {
        let session = try openSession(number)
        let body = #"{"sessionInfo":"\#(session)","code":"\#(try code(of: session))"\#(extra)}"#
        return { try self.post("/v1/accounts:signInWithPhoneNumber", body) }
    }

    func signUp(_ email: String) throws -> HTTPAnswer {
        try post("/v1/accounts:signUp", #"{"email":"\#(email)","password":"correct horse"}"#)
    }

    func signIn(email: String) throws -> HTTPAnswer {
        try post("/v1/accounts:signInWithPassword", #"{"email":"\#(email)","password":"correct horse"}"#)
    }

    func update(_ idToken: String, _ members: String) throws -> HTTPAnswer {
        try post("/v1/accounts:update", #"{"idToken":"\#(idToken)",\#(members),"returnSecureToken":true}"#)
    }

    func delete(_ idToken: String) throws -> HTTPAnswer {
        try post("/v1/accounts:delete", #"{"idToken":"\#(idToken)"}"#)
    }
}

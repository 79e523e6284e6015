import Encodings
import Testing

/// A request during which a worker dies, what its user does next, and the expected result.
struct AccountOperation: Sendable, CustomTestStringConvertible {
    /// One execution, with accounts and proofs prepared for it.
    struct Attempt {
        /// Sends the request.
        let request: () throws -> HTTPAnswer
        /// Does what a user does after a failure, and returns the final response.
        let again: () throws -> HTTPAnswer
        /// Uses the account from the last response, and checks that the result is as if there had been no failure.
        let check: (HTTPAnswer) throws -> Void
        /// The uids of accounts that must exist at every moment.
        var kept: [String] = []
        /// The number of accounts that the operation adds.
        let accountsMade: Int

        /// Checks the state after the last response, whatever failed before: its tokens are valid, and the accounts are
        /// consistent and as many as expected.
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
    /// Whether the shipped nginx configuration repeats the request.
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
    /// Links a number, or signs in with it. `extra` are additional members of the request.
    func prove(_ number: String, _ extra: String = "") throws -> HTTPAnswer {
        try answer(try openVerification(number), extra)
    }

    /// Submits the correct code of a session.
    func answer(_ session: String, _ extra: String = "") throws -> HTTPAnswer {
        try post(
            "/v1/accounts:signInWithPhoneNumber",
            #"{"sessionInfo":"\#(session)","code":"\#(try code(of: session))"\#(extra)}"#
        )
    }

    /// Returns a request that submits the correct code, which has already been looked up.
    func preparedAnswer(_ number: String, _ extra: String = "") throws -> () throws -> HTTPAnswer {
        let session = try openVerification(number)
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

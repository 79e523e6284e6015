import PhoneAuth
import RedisScripts
import Testing

/// Suites in which apps prove themselves with push receipts or challenge tokens.
protocol AppVerificationSuite {
    var authenticator: Authenticator { get }
    var project: Project { get }
    var number: String { get }
}

extension AppVerificationSuite {
    /// Requests a push, and takes it as a dispatcher does.
    func receivedPush(by device: String = DeviceTokens.first) throws -> PendingPush {
        _ = authenticator.in(project).verify(token: device)
        return try #require(try authenticator.takeAll().first)
    }

    /// Requests a message with the receipt and the secret of a push.
    func send(
        _ receipt: String,
        _ secret: String,
        from bundleID: String? = RegisteredApp.demo.bundleID.text,
        client: Int = 1
    ) -> SendOutcome {
        authenticator.in(project).send(
            to: number,
            client: client,
            provenBy: .pushReceipt(receipt: receipt, secret: secret),
            from: bundleID
        )
    }

    /// Exchanges the solution of a challenge for a token.
    func token(
        _ challenge: [UInt8] = [1, 2, 3],
        to holder: ClientApp = .web,
        request: String = "issue"
    ) throws(IssueChallengeTokenRefusal) -> String {
        try authenticator.in(project, request: request).issueChallengeToken(
            for: SolvedChallenge(id: challenge, solvableFor: .seconds(60), isHard: false),
            to: holder
        )
    }
}

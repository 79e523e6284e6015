internal import ChallengePages
internal import Encodings
internal import FastCGI
internal import PhoneAuth

/// The challenge page and `verifier.js`: app verification without a silent push.
extension IdentityToolkitHandler {
    /// `GET /__/auth/handler`: the page that an app opens. Errors are pages, too.
    static func challengePage(_ api: Self, _ request: borrowing Request, _ record: RequestRecord) -> Response {
        let query = FormFields(request.query.utf8)
        let language = api.pageLanguage(query, request)
        let nonce = api.newNonce()
        let client: ChallengedClient
        do {
            client = try api.challengedApp(query, request)
        } catch {
            record.reason = error.reason.code
            return .page(ChallengePage(refusal: error, language: language, nonce: nonce), status: 400)
        }
        record.project = client.project.id
        record.reason = "shown"
        guard case .app(let verification) = client.kind else { return .error(.notFound) }
        if let provider = api.providers.provider(of: client.project) {
            return .page(
                ChallengePage(provider: provider, callback: verification.callback, language: language, nonce: nonce)
            )
        }
        let challenge = api.newChallenge(for: client, request, record)
        return .page(
            ChallengePage(challenge: challenge, callback: verification.callback, language: language, nonce: nonce)
        )
    }

    /// `POST /__/auth/challenge`: a proof-of-work challenge for `verifier.js`, or a new one for a page whose challenge
    /// has expired.
    static func challenge(
        _ api: Self,
        _ request: borrowing Request,
        _ record: RequestRecord
    ) throws(WireError) -> Response {
        let client = try api.challengedClient(request)
        record.project = client.project.id
        guard api.providers.provider(of: client.project) == nil else {
            throw .code(.operationNotAllowed, "The project has another kind of challenge.")
        }
        return .json(api.newChallenge(for: client, request, record).json)
    }

    /// `POST /__/auth/verify`: verifies a proof-of-work solution or a CAPTCHA provider's response. Returns the
    /// challenge token; an app receives it in its callback link.
    static func challengeAnswer(
        _ api: Self,
        _ request: borrowing Request,
        _ record: RequestRecord
    ) throws(WireError) -> Response {
        let client = try api.challengedClient(request)
        record.project = client.project.id
        guard let answer = ChallengeAnswer(json: try request.jsonBody()) else {
            throw .code(.invalidArgument, "Expected a solution or a response.")
        }
        let solved = try api.verify(answer, of: client, request, record)
        let operation = api.operation(in: client.project, request, record)
        let token = try IssueChallengeTokenRefusal.onWire(operation.issueChallengeToken(for: solved, to: client.holder))
        record.reason = "solved"
        return .json(
            JSONWriter.object { json in
                switch client.kind {
                case .app(let verification):
                    json.member("location", verification.callback.link(token: token).url)
                case .web: json.member("token", token)
                }
            }
        )
    }

    /// `GET /__/auth/verifier.js`, `dialtone.js` and `dialtone.d.ts`.
    static func response(with script: ScriptForWebApps, to request: borrowing Request) -> Response {
        guard let tags = request.parameter("HTTP_IF_NONE_MATCH"), script.isCurrent(ifNoneMatch: tags) else {
            return Response(status: 200, headers: script.headers, body: script.body)
        }
        return Response(status: 304, headers: script.headers)
    }

    private func verify(
        _ answer: ChallengeAnswer,
        of client: ChallengedClient,
        _ request: borrowing Request,
        _ record: RequestRecord
    ) throws(WireError) -> SolvedChallenge {
        switch (answer, providers.provider(of: client.project)) {
        case (.solution(let solution), nil):
            return try verify(solution: solution, of: client)
        case (.providerResponse(let response), let provider?):
            guard providers.mayBeValid(response, in: client.project) == true else {
                throw .captchaCheckFailed(logDetail: "no token from the challenge provider")
            }
            try countProviderCheck(of: client, request, record)
            let project = try StoreUnavailable.onWire(authenticator.configured(client.project))
            let address = request.parameter("REMOTE_ADDR")
            switch providers.check(response, with: provider, clientAddress: address, in: project) {
            case .solved: return SolvedChallenge(id: Array(response.utf8), solvableFor: .seconds(600), isHard: true)
            case .solvedElsewhere: throw .captchaCheckFailed(logDetail: InvalidAppCredential.solvedElsewhere.rawValue)
            case .notSolved: throw .captchaCheckFailed(logDetail: InvalidAppCredential.providerRefused.rawValue)
            case .unavailable(let failure): throw .unavailable(logDetail: "the challenge provider: \(failure)")
            }
        default:
            throw .captchaCheckFailed(logDetail: "the response is for another kind of challenge")
        }
    }

    private func verify(
        solution: String,
        of client: ChallengedClient
    ) throws(WireError) -> SolvedChallenge {
        var failure: WireError?
        for proofOfWork in proofsOfWork {
            do {
                return try proofOfWork.verify(
                    solution,
                    for: client.subject,
                    at: authenticator.environment.now().seconds
                )
            } catch {
                failure = failure ?? .captchaCheckFailed(logDetail: "\(error)")
            }
        }
        throw failure ?? .captchaCheckFailed(logDetail: "no key")
    }

    /// Applies the rate limit of provider checks, before the CAPTCHA provider is called.
    private func countProviderCheck(
        of client: ChallengedClient,
        _ request: borrowing Request,
        _ record: RequestRecord
    ) throws(WireError) {
        let (operation, address) = (operation(in: client.project, request, record), request.clientAddress)
        let retryAfter = try StoreUnavailable.onWire(operation.countProviderCheck(from: address))
        guard let retryAfter else { return }
        throw .limited(
            .tooManyAttemptsTryLater,
            retryAfter: retryAfter,
            logDetail: InvalidAppCredential.tooManyProviderChecks.rawValue
        )
    }

    /// Returns a proof-of-work challenge. It is harder for networks that requested many recently. It does not need
    /// Redis: if Redis is unavailable, the request counts as the network's first.
    private func newChallenge(
        for client: ChallengedClient,
        _ request: borrowing Request,
        _ record: RequestRecord
    ) -> ProofOfWorkChallenge {
        let (operation, address) = (operation(in: client.project, request, record), request.clientAddress)
        let demand = operation.bestEffort("count a challenge", try operation.countChallenge(from: address))
        let difficulty = Difficulty.forNetwork(recentChallenges: demand?.recentChallenges ?? 0)
        return proofsOfWork[0].challenge(
            for: client.subject,
            difficulty: demand?.mustBeHard == true ? max(difficulty, .high) : difficulty,
            at: authenticator.environment.now().seconds,
            randomBytes: authenticator.environment.randomBytes
        )
    }

    /// One proof of work for each generation of secrets, the current one first.
    private var proofsOfWork: [ProofOfWork] { authenticator.challengeKeys.map { ProofOfWork(key: $0) } }
}

extension WireError {
    fileprivate static func captchaCheckFailed(logDetail: String) -> WireError {
        .code(.captchaCheckFailed, "The challenge's answer was not accepted.", logDetail: logDetail)
    }
}

extension IssueChallengeTokenRefusal: WireRefusal {
    var wire: WireError {
        switch self {
        case .alreadyCounted: .captchaCheckFailed(logDetail: "the answer was already used")
        case .unavailable(let store): store.wire
        }
    }
}

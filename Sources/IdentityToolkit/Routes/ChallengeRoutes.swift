internal import ChallengePages
internal import Encodings
internal import FastCGI
internal import PhoneAuth
internal import RedisStore

/// The challenge page and `verifier.js`: app verification without a silent push.
extension IdentityToolkitHandler {
    /// `GET /__/auth/handler`: the page that an app opens. Errors are pages, too.
    func challengePage(_ request: borrowing Request, _ record: inout RequestRecord) -> Response {
        let query = FormFields((request.parameter("QUERY_STRING") ?? "").utf8)
        let language = Language(hl: query?["hl"], acceptLanguage: request.parameter("HTTP_ACCEPT_LANGUAGE"))
        let nonce = Nonce(authenticator.environment.randomBytes(16))
        let client: ChallengedClient
        do {
            client = try challengedApp(query, request)
        } catch {
            record.reason = error.reason.code
            return .page(ChallengePage(refusal: error, language: language, nonce: nonce), status: 400)
        }
        record.project = client.project.id
        record.reason = "shown"
        guard case .app(let wish) = client.kind else { return .error(.notFound) }
        if let provider = providers.provider(of: client.project) {
            return .page(
                ChallengePage(provider: provider, callback: wish.callback, language: language, nonce: nonce)
            )
        }
        let challenge = newChallenge(for: client, request)
        return .page(
            ChallengePage(challenge: challenge, callback: wish.callback, language: language, nonce: nonce)
        )
    }

    /// `POST /__/auth/challenge`: a proof-of-work challenge for `verifier.js`, or a new one for a page whose challenge
    /// has expired.
    func challenge(_ request: borrowing Request, _ record: inout RequestRecord) throws(WireError) -> Response {
        let client = try challengedClient(request)
        record.project = client.project.id
        guard providers.provider(of: client.project) == nil else {
            throw .badRequest("OPERATION_NOT_ALLOWED : The project has another kind of challenge.")
        }
        return .json(newChallenge(for: client, request).json)
    }

    /// `POST /__/auth/verify`: verifies a proof-of-work solution or a CAPTCHA provider's response. Returns the
    /// challenge token; an app receives it in its callback link.
    func challengeAnswer(
        _ request: borrowing Request,
        _ requestID: String,
        _ record: inout RequestRecord
    ) throws(WireError) -> Response {
        let client = try challengedClient(request)
        record.project = client.project.id
        guard let answer = ChallengeAnswer(json: try jsonBody(of: request)) else {
            throw .badRequest("INVALID_ARGUMENT : Expected a solution or a response.")
        }
        let solved = try check(answer, of: client, request, requestID)
        let token: String
        do {
            token = try authenticator.issueChallengeToken(
                for: solved,
                to: client.holder,
                requestID: requestID,
                in: client.project
            )
        } catch {
            throw error.wire
        }
        record.reason = "solved"
        return .json(
            JSONWriter.object { json in
                switch client.kind {
                case .app(let wish): json.member("location", wish.callback.link(token: token).url)
                case .web: json.member("token", token)
                }
            }
        )
    }

    /// `GET /__/auth/verifier.js`.
    func verifierScript() -> Response {
        Response(status: 200, headers: VerifierScript.headers, body: VerifierScript.body)
    }

    private func check(
        _ answer: ChallengeAnswer,
        of client: ChallengedClient,
        _ request: borrowing Request,
        _ requestID: String
    ) throws(WireError) -> SolvedChallenge {
        switch (answer, providers.provider(of: client.project)) {
        case (.solution(let solution), nil):
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
        case (.providerResponse(let response), let provider?):
            let address = request.parameter("REMOTE_ADDR")
            guard providers.mayBeGood(response, in: client.project) == true else {
                throw .captchaCheckFailed(logDetail: "no token of the challenge's provider")
            }
            try countProviderCheck(from: address ?? "", requestID, in: client.project)
            let project: Project
            do { project = try authenticator.configured(client.project) } catch {
                throw .unavailable(logDetail: error.description)
            }
            switch providers.check(response, with: provider, clientAddress: address, in: project) {
            case .solved: return SolvedChallenge(id: Array(response.utf8), solvableFor: .seconds(600), isHard: true)
            case .solvedElsewhere: throw .captchaCheckFailed(logDetail: InvalidAppCredential.solvedElsewhere.rawValue)
            case .notSolved: throw .captchaCheckFailed(logDetail: InvalidAppCredential.providerRefused.rawValue)
            case .unavailable(let failure): throw .unavailable(logDetail: "the challenge's provider: \(failure)")
            }
        default:
            throw .captchaCheckFailed(logDetail: "an answer to another kind of challenge")
        }
    }

    /// Applies the rate limit of provider checks, before the CAPTCHA provider is called.
    private func countProviderCheck(
        from address: String,
        _ requestID: String,
        in project: Project
    ) throws(WireError) {
        let retryAfter: Duration?
        do {
            retryAfter = try authenticator.countProviderCheck(from: address, requestID: requestID, in: project)
        } catch {
            throw .unavailable(logDetail: error.description)
        }
        guard let retryAfter else { return }
        throw .limited(
            "TOO_MANY_ATTEMPTS_TRY_LATER",
            retryAfter: retryAfter,
            logDetail: InvalidAppCredential.tooManyProviderChecks.rawValue
        )
    }

    /// Returns a proof-of-work challenge. It is harder for networks that requested many recently. It does not need
    /// Redis: if Redis is unavailable, the request counts as the network's first.
    private func newChallenge(for client: ChallengedClient, _ request: borrowing Request) -> ProofOfWorkChallenge {
        let address = request.parameter("REMOTE_ADDR") ?? ""
        let demand = try? authenticator.countChallenge(from: address, in: client.project)
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

extension Response {
    fileprivate static func page(_ page: ChallengePage, status: Int = 200) -> Response {
        Response(status: status, headers: page.headers, body: page.render())
    }
}

extension WireError {
    fileprivate static func captchaCheckFailed(logDetail: String) -> WireError {
        .badRequest("CAPTCHA_CHECK_FAILED : The challenge's answer was not accepted.", logDetail: logDetail)
    }
}

extension IssueChallengeTokenRefusal {
    fileprivate var wire: WireError {
        switch self {
        case .alreadyCounted: .captchaCheckFailed(logDetail: "the answer was handed in before")
        case .unavailable(let store): .unavailable(logDetail: store.description)
        }
    }
}

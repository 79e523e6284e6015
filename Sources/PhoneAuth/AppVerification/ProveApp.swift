internal import Cryptography
internal import Encodings
public import RedisScripts

/// Why the app was not proven.
enum ProofError: StoreRefusal {
    case failed(AppProofFailure)
    case unavailable(StoreUnavailable)
}

extension OperationContext {
    /// Verifies the credential with which a request proves its app.
    func prove(_ request: AppProofRequest) throws(ProofError) -> AppProof {
        guard case .required(let askProvider, let verifyIntegrity) = authenticator.appVerification else {
            return AppProof(grounds: .developmentMode)
        }
        switch request.credential {
        case .absent:
            throw .failed(.missing)
        case .safetyNetToken:
            throw .failed(.challengeNeeded(.safetyNetUnsupported))
        case .playIntegrityToken(let token):
            return try prove(integrityToken: token, from: request, verifyIntegrity)
        case .pushReceipt(let receipt, let secret):
            return try prove(receipt: receipt, secret: secret, from: request)
        case .challengeToken(let text):
            if let token = ChallengeToken(text) {
                return try prove(token, from: request)
            }
            return try prove(providersToken: text, from: request, askProvider)
        }
    }

    private func prove(
        receipt text: String,
        secret: String,
        from request: AppProofRequest
    ) throws(ProofError) -> AppProof {
        guard case .iOS(let bundleID) = request.app, project.app(bundleID: bundleID) != nil else {
            throw .failed(.invalid(.appUnknown))
        }
        guard let receipt = PushReceipt(text, store.shards),
            receipt.hasSecret(secret, for: bundleID, in: project.id, keys)
        else { throw .failed(.invalid(.secretWrong)) }
        let used = try ProofError.wrapping(
            store.usePushReceipt(
                receipt.id,
                of: project.id,
                bundleID: bundleID,
                now: now.milliseconds,
                earliestIssue: settings().revokedReceipts[bundleID] ?? 0,
                lifeMilliseconds: policy.pushReceiptLifetime.milliseconds,
                requestID: requestID
            )
        )
        guard let used else { throw .failed(.invalid(.receiptUnknown)) }
        if used.isFirstUse {
            store.count(.returned, of: project.id, bundleID: bundleID, used.environment, now: now.milliseconds)
        }
        return AppProof(grounds: .pushReceipt(used.device))
    }

    private func prove(_ token: ChallengeToken, from request: AppProofRequest) throws(ProofError) -> AppProof {
        let isHard = try ProofError.wrapping(
            store.redeemChallengeToken(
                token.identity(in: project),
                requestID: requestID,
                holder: request.app.text,
                memoryMilliseconds: ChallengeToken.usedMemory.milliseconds
            )
        )
        guard let isHard else { throw .failed(.invalid(.challengeTokenUnknown)) }
        return AppProof(grounds: .challenge(isHard: isHard))
    }

    /// Verifies a provider's token, which a web app gets from its own widget. iOS apps use the challenge page instead.
    private func prove(
        providersToken token: String,
        from request: AppProofRequest,
        _ askProvider: AppVerification.ProviderCheck
    ) throws(ProofError) -> AppProof {
        if case .iOS = request.app { throw .failed(.invalid(.challengeTokenUnknown)) }
        guard !token.isEmpty else { throw .failed(.invalid(.challengeTokenUnknown)) }
        let address = request.networkAddress
        switch askProvider.mayBeValid(token, project) {
        case nil: throw .failed(.invalid(.challengeTokenUnknown))
        case false?: throw .failed(.invalid(.providerRefused))
        case true?: break
        }
        let retryAfter = try ProofError.wrapping(countProviderCheck(from: address))
        guard retryAfter == nil else { throw .failed(.invalid(.tooManyProviderChecks)) }
        switch askProvider.verdict(token, address, project) {
        // A provider decides the difficulty itself, so its challenge counts as hard.
        case .solved: return AppProof(grounds: .challenge(isHard: true))
        case .solvedElsewhere: throw .failed(.invalid(.solvedElsewhere))
        case .notSolved: throw .failed(.invalid(.providerRefused))
        case .unavailable: throw .failed(.invalid(.providerUnavailable))
        case .notConfigured: throw .failed(.invalid(.challengeTokenUnknown))
        }
    }

    /// Verifies a Play Integrity token. The client's network is counted before the token is decoded, and the token is
    /// used up before it proves anything.
    private func prove(
        integrityToken token: String,
        from request: AppProofRequest,
        _ check: AppVerification.IntegrityCheck
    ) throws(ProofError) -> AppProof {
        guard case .android(let packageName) = request.app, project.androidApps.app(packageName: packageName) != nil
        else { throw .failed(.invalid(.appUnknown)) }
        switch check.mayBeValid(token, packageName, project) {
        case nil: throw .failed(.challengeNeeded(.integrityNotConfigured))
        case false?: throw .failed(.challengeNeeded(.integrityTokenInvalid))
        case true?: break
        }
        let retryAfter = try ProofError.wrapping(countProviderCheck(from: request.networkAddress))
        guard retryAfter == nil else { throw .failed(.challengeNeeded(.tooManyProviderChecks)) }
        let refusal = check.refusal(
            IntegrityTokenRequest(token: token, packageName: packageName, subjects: request.subjects, now: now),
            project
        )
        if let refusal { throw .failed(.challengeNeeded(refusal)) }
        let isFirstUse = try ProofError.wrapping(
            store.useIntegrityToken(
                IntegrityTokenIdentity(
                    project: project.id,
                    hash: Base64URL.string(SHA256.hash(Array(token.utf8)))
                ),
                requestID: requestID,
                markMilliseconds: IntegrityTokenRequest.usedMemory.milliseconds
            )
        )
        guard isFirstUse else { throw .failed(.challengeNeeded(.integrityTokenUsed)) }
        return AppProof(grounds: .playIntegrity)
    }
}

extension OperationContext {
    /// Counts a token before a CAPTCHA provider verifies it, or before it is decoded for Play Integrity: a check blocks
    /// a thread and uses the operator's quota.
    ///
    /// - Parameter address: the client's network address.
    /// - Returns: the time until the client's networks may have another token checked; nil if this token may be
    ///   checked.
    /// - Throws: ``StoreUnavailable``.
    public func countProviderCheck(from address: String) throws(StoreUnavailable) -> Duration? {
        let check = RateLimitTransaction(of: project.id, providerCheckLimits(from: address), eventID: requestID)
        switch try store.decide(check, now: now.milliseconds) {
        case .allowed: return nil
        case .exceeded(let exceeded): return exceeded.retryAfter
        }
    }

    /// Returns the limits on the tokens that a network's clients may have other servers check.
    func providerCheckLimits(from address: String) -> [RateLimit] {
        networks(of: address, for: "provider-network").all.map { network in
            RateLimit.providerChecks(
                by: network,
                RateLimit.Window(
                    milliseconds: ChallengeDemand.window.milliseconds,
                    maximum: network.width.maximum(policy.providerChecksPerNetwork)
                )
            )
        }
    }
}

public import Encodings
internal import RedisScripts

/// A request to sign in with the code of a link that was sent by e-mail.
public struct SignInWithEmailLinkRequest: Sendable, Confidential {
    /// The e-mail address as the user entered it.
    let email: String
    let code: EmailCode
    /// The client, as described to blocking hooks.
    let client: ClientDescription
    /// The ID token of the account that is to get the address; nil to sign in.
    public var idToken: String?
    /// The link of the notice to a former address.
    public var recoveryLink: ActionLink?

    /// Creates a request to sign in.
    public init(email: String, code: EmailCode, client: ClientDescription) {
        self.email = email
        self.code = code
        self.client = client
    }
}

extension OperationContext {
    /// Signs in the reader of an address's mail, or gives the address to the account of an ID token.
    ///
    /// Whoever entered an address that was never verified does not share the account with its reader. If they have
    /// proven nothing, the account is the reader's: its password is removed and its tokens are revoked. Otherwise it
    /// stays theirs and loses the address, and the reader gets another account. Second factors are required as
    /// after a password.
    /// - Throws: ``EmailActionRefusal``.
    public func signInWithEmailLink(
        _ request: SignInWithEmailLinkRequest
    ) throws(EmailActionRefusal) -> PasswordSignIn {
        guard project.isEmailLinkSignInEnabled else { throw .notOffered }
        var user: IdentifiedUser?
        if let idToken = request.idToken {
            user = try EmailActionRefusal.wrapping(refusalOf: identify(idToken: idToken))
        }
        guard let address = EmailAddress(request.email) else { throw .credential(.emailInvalid) }
        let action = try action(of: request.code)
        guard action.kind == .signIn else { throw .codeInvalid }
        guard action.email == address else { throw .emailMismatched }
        let hooks = hooks(for: request.client, .proven)
        try EmailActionRefusal.wrapping(failureOf: hooks?.takeSlot())
        let email = identifier(address)
        if let user, user.account.email != address.text {
            return .signedIn(try link(email, to: user, request, callingHooks: hooks))
        }
        return try signIn(email, by: request.code, alreadyAs: user?.account.uid, callingHooks: hooks)
    }

    private static var proofOfAddress: AccountUpdate {
        AccountUpdate(fields: [.isEmailVerified: "1", .signsInByLink: "1"])
    }

    private func link(
        _ email: AccountIdentifier<EmailIdentity>,
        to identified: IdentifiedUser,
        _ request: SignInWithEmailLinkRequest,
        callingHooks hooks: SignInHooks?
    ) throws(EmailActionRefusal) -> IssuedTokens {
        let operation: IDTokenOperation = identified.account.email == nil ? .linkPassword : .changeEmail
        let user = try EmailActionRefusal.wrapping(refusalOf: authorize(identified, for: [operation]))
        try EmailActionRefusal.wrapping(failureOf: admit(.emailAddress))
        guard try EmailActionRefusal.wrapping(holder(of: email.identity)) == nil else {
            throw .credential(.emailExists)
        }
        try use(request.code)
        var renewal = TokenRequest(continuing: user, identifiers: identifiers(of: user))
        if user.session.provider == .anonymous { renewal.provider = .emailLink }
        renewal.changes = Self.proofOfAddress
        renewal.revokeEarlierTokens(at: now)
        renewal.hooks = hooks
        let claim = try EmailActionRefusal.wrapping(store.claim(of: email.identity))
        switch try EmailActionRefusal.wrapping(failureOf: link(email, currentClaim: claim, renewal)) {
        case .taken(let tokens):
            if let address = EmailAddress(email.text) {
                notifyFormerAddress(of: user.account, user.record, changedTo: address, request.recoveryLink)
            }
            return tokens
        case .ofAnother: throw .credential(.emailExists)
        case .hindered(let obstacle): throw .notAuthenticated(IDTokenRefusal(obstacle))
        }
    }

    /// Signs in to the account that has the address, or creates one. `uid` is the account of a user who is signed in to
    /// it already.
    private func signIn(
        _ email: AccountIdentifier<EmailIdentity>,
        by code: EmailCode,
        alreadyAs uid: String?,
        callingHooks hooks: SignInHooks?
    ) throws(EmailActionRefusal) -> PasswordSignIn {
        var void: IdentifierClaim?
        for _ in 0..<IdentifierClaim.attempts {
            let holder = try EmailActionRefusal.wrapping(holder(of: email.identity))
            var (changes, requiredWays) = (Self.proofOfAddress, "")
            if let holder {
                let isProven = holder.record.isEmailVerified || holder.identity.uid.hasSameBytes(as: uid ?? "")
                guard !holder.record.isDisabled else { throw .accountDisabled }
                guard isProven || holder.record.isOpenToReaderOfMail else {
                    try EmailActionRefusal.wrapping(failureOf: admit(.signUp))
                    try takeAway(from: holder, by: code)
                    continue
                }
                if !isProven {
                    requiredWays = holder.record.waysToSignIn
                    changes.change(.password, .removed)
                    changes.change(.passwordUpdatedAt, .removed)
                    changes.change(.validSince, .set(String(now.seconds)))
                }
            } else {
                try EmailActionRefusal.wrapping(failureOf: admit(.signUp))
            }
            try use(code)
            let claim = if let holder { holder.claim } else { try newClaim(of: email, replacing: void) }
            let account = AccountIdentity(project: project.id, uid: claim.uid, among: store.shards)
            var request = TokenRequest(
                account: account,
                provider: .emailLink,
                signedInAt: now,
                maker: repeatID,
                identifier: try EmailActionRefusal.wrapping(failureOf: signInIdentifier(email, claim, of: account)),
                mustCreate: holder == nil,
                secondFactorNeed: project.secondFactorNeed,
                changes: changes,
                hooks: hooks
            )
            request.requiredWaysToSignIn = requiredWays
            let outcome: TokenOutcome
            do {
                outcome = try issueTokens(request)
            } catch {
                switch error {
                case .blocked, .interrupted: giveBack(code)
                default: break
                }
                throw .failed(error)
            }
            switch outcome {
            case .issued(let tokens): return .signedIn(tokens)
            case .hindered(.secondFactor(.required(let record))):
                return try EmailActionRefusal.wrapping(
                    failureOf: .secondFactorRequired(secondFactorChallenge(for: account, record, provenBy: .emailLink))
                )
            case .hindered(.disabled): throw .accountDisabled
            case .hindered(.exists): continue
            case .hindered: void = claim
            }
        }
        throw .failed(.interrupted)
    }

    private func newClaim(
        of email: AccountIdentifier<EmailIdentity>,
        replacing void: IdentifierClaim?
    ) throws(EmailActionRefusal) -> IdentifierClaim {
        try EmailActionRefusal.wrapping(
            store.claimIdentifier(email.identity, newClaim(uid: AccountID.make(environment)), replacing: void)
        )
    }
}

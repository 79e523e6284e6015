public import Encodings
public import PhoneNumbers
public import RedisStore

/// An answer to a verification session.
public struct SignInWithPhoneNumberRequest: Sendable, Confidential {
    /// What ``Authenticator/sendVerificationCode(_:in:)`` gave.
    public var sessionInfo: String
    /// What the user typed.
    public var code: String
    /// Names this request, the same when a front end repeats it because a worker died over it.
    public var requestID: String

    /// An answer to a verification session.
    public init(sessionInfo: String, code: String, requestID: String) {
        self.sessionInfo = sessionInfo
        self.code = code
        self.requestID = requestID
    }
}

/// Why an answer did not sign in.
public enum SignInWithPhoneNumberRefusal: Error {
    case sessionInfoUnknown
    /// Its time is up, or it has been used; `used` tells which.
    case sessionEnded(used: Bool, E164)
    case codeWrong(attemptsLeft: Int, E164)
    case attemptsSpent(E164)
    /// There were too many wrong codes for the number; this answer was not judged.
    case tooManyWrongCodes(WrongCodeBlock, E164)
    case phoneSignInDisabled(E164)
    case accountDisabled(E164)
    /// The account was deleted while this sign-in was under way.
    case accountDeleted(E164)
    case unavailable(StoreUnavailable)
    case internalFailure
}

extension Authenticator {
    /// Judges the code and, when it is right, signs the number's account in, making it where there is none.
    ///
    /// - Throws: ``SignInWithPhoneNumberRefusal``. A wrong code counts as an attempt; a right one uses the session up even
    ///   when the account turns out to be disabled.
    public func signInWithPhoneNumber(
        _ request: SignInWithPhoneNumberRequest,
        in project: Project
    ) throws(SignInWithPhoneNumberRefusal) -> SignedIn {
        let (ticket, phone) = try openTicket(request.sessionInfo, in: project)
        guard project.isPhoneSignInEnabled else { throw .phoneSignInDisabled(phone) }
        let isRight = try expectedCode(of: ticket, in: project)?.matches(request.code) ?? false
        let now = environment.now()
        let uid = try answer(ticket, phone, isRight: isRight, request, in: project, now)
        return try recordSignIn(uid: uid, ticket.id, phone, in: project, now)
    }

    private func openTicket(
        _ sessionInfo: String,
        in project: Project
    ) throws(SignInWithPhoneNumberRefusal) -> (SessionTicket, E164) {
        guard let ticket = SessionTicket(sessionInfo, in: project, keys, store.shards), ticket.purpose == .signIn,
            let phone = try? phoneNumbers.parse(ticket.phoneNumber)
        else { throw .sessionInfoUnknown }
        return (ticket, phone)
    }

    /// nil where the session was a test number's and the number is one no more: then no answer is right.
    private func expectedCode(
        of ticket: SessionTicket,
        in project: Project
    ) throws(SignInWithPhoneNumberRefusal) -> VerificationCode? {
        switch ticket.codeSource {
        case .derived:
            return VerificationCode(of: ticket.id, for: ticket.phoneNumber, purpose: ticket.purpose, under: keys)
        case .testNumber:
            do {
                return try projectSettings.settings(of: project, from: self).testNumbers[ticket.phoneNumber]
            } catch {
                throw .unavailable(error)
            }
        }
    }

    private func answer(
        _ ticket: SessionTicket,
        _ phone: E164,
        isRight: Bool,
        _ request: SignInWithPhoneNumberRequest,
        in project: Project,
        _ now: Instant
    ) throws(SignInWithPhoneNumberRefusal) -> String {
        let outcome: SessionAnswer.Outcome
        do {
            outcome = try store.answerSession(
                SessionAnswer(
                    id: ticket.id,
                    phone: identity(of: ticket.phoneNumber, in: project),
                    isRight: isRight,
                    requestID: request.requestID,
                    proposedUID: AccountID.make(environment),
                    now: now.milliseconds,
                    tombstoneMilliseconds: policy.tombstoneLifetime.milliseconds,
                    isTestNumber: ticket.codeSource == .testNumber,
                    wrongCodes: wrongCodeLimits,
                    ranges: NumberRanges(of: phone, in: project.id, keys),
                    rangeHalfLifeMilliseconds: TollFraudPolicy.halfLife.milliseconds,
                    ledgerMilliseconds: TollFraudPolicy.ledgerLife.milliseconds
                )
            )
        } catch {
            throw .unavailable(error)
        }
        switch outcome {
        case .right(let uid): return uid
        case .wrong(let attemptsLeft): throw .codeWrong(attemptsLeft: attemptsLeft, phone)
        case .exhausted: throw .attemptsSpent(phone)
        case .used: throw .sessionEnded(used: true, phone)
        case .expired: throw .sessionEnded(used: false, phone)
        case .blocked(let block): throw .tooManyWrongCodes(block, phone)
        }
    }

    private func recordSignIn(
        uid: String,
        _ session: SessionID,
        _ phone: E164,
        in project: Project,
        _ now: Instant
    ) throws(SignInWithPhoneNumberRefusal) -> SignedIn {
        let identity = AccountIdentity(project: project.id, uid: uid, among: store.shards)
        let refreshToken = RefreshToken.make(for: identity, environment)
        do {
            let sealedNumber = try keys.data.seal(
                Array(phone.text.utf8),
                context: Account.sealingContext(identity),
                nonce: environment.randomBytes(DataKeys.nonceByteCount)
            )
            let outcome = try store.recordSignIn(
                SignInRecord(
                    account: identity,
                    sealedNumber: sealedNumber,
                    provider: SignInProvider.phone.rawValue,
                    refreshToken: refreshToken.identity(in: project),
                    now: now.milliseconds,
                    refreshTokenIdleMilliseconds: policy.refreshTokenIdleLifetime.milliseconds,
                    session: session,
                    maximumRefreshTokens: Policy.maximumRefreshTokens
                )
            )
            guard case .signedIn(let record, let isNew) = outcome else {
                if case .deleted = outcome { throw SignInWithPhoneNumberRefusal.accountDeleted(phone) }
                throw SignInWithPhoneNumberRefusal.accountDisabled(phone)
            }
            let account = Account(identity, record, keys)
            let idToken = IDToken(of: account, signedInAt: now, with: .phone, issuedAt: now, in: project, policy)
            return SignedIn(
                idToken: try idToken.signed(with: keys.signingKey(at: now)),
                refreshToken: refreshToken.text,
                uid: uid,
                isNewUser: isNew,
                phone: phone
            )
        } catch let refusal as SignInWithPhoneNumberRefusal {
            throw refusal
        } catch let error as StoreUnavailable {
            throw .unavailable(error)
        } catch {
            throw .internalFailure
        }
    }
}

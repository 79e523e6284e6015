internal import Encodings

/// The contents of `sessionInfo`: a session, its purpose, its number and its holder.
///
/// The text is base64url of: format (1 byte) ‖ purpose and code source (1) ‖ session id (16) ‖ sealed number.
/// The sealed text is the number, followed by a zero byte and the holder if there is a holder.
/// The seal (authenticated encryption) also authenticates everything before it and the project. So a forged or altered
/// text is rejected without a round trip, and the number need not be fetched to compute its key names.
struct VerificationTicket: Sendable, Confidential {
    private static let format: UInt8 = 1

    var id: VerificationID
    let scope: VerificationScope
    let codeSource: CodeSource
    /// The number in E.164 form.
    let phoneNumber: String
    /// The id of the data key that sealed the number; nil for a ticket that has not been sealed yet.
    private(set) var dataKeyID: UInt8?

    /// Seals (encrypts and authenticates) the number for a session.
    func seal(in project: Project, _ keys: ServerKeys, _ environment: Environment) throws(CryptographyFailure)
        -> [UInt8]
    {
        try keys.data.seal(
            Array(phoneNumber.utf8) + (scope.holder.isEmpty ? [] : [0] + scope.holder),
            context: Self.context(header.bytes, project.id),
            environment
        )
    }

    /// Returns the `sessionInfo` of a session whose number was sealed.
    func text(sealedNumber: [UInt8]) -> String {
        var token = header
        token.append(sealedNumber)
        return token.text
    }

    /// Opens (decrypts and authenticates) a `sessionInfo`; nil unless this deployment issued it for `project`.
    init?(_ text: String, in project: Project, _ keys: ServerKeys) {
        guard var token = TokenReader(text, format: Self.format), let kind = token.number(UInt8.self),
            let purpose = Purpose.allCases.first(where: { $0.wireByte == kind & 0x7F }),
            let codeSource = CodeSource.allCases.first(where: { $0.wireByte == kind & 0x80 }),
            let id: VerificationID = token.id(in: project.id)
        else { return nil }
        self.init(id: id, purpose: purpose, codeSource: codeSource, sealedNumber: token.rest, in: project.id, keys)
    }

    /// Opens the number that Redis stores sealed with a session or its message.
    init?(
        id: VerificationID,
        purpose: Purpose,
        codeSource: CodeSource,
        sealedNumber: some Collection<UInt8>,
        in project: String,
        _ keys: ServerKeys
    ) {
        let header = Self.header(id, purpose, codeSource)
        guard let opened = keys.data.open(sealedNumber, context: Self.context(header.bytes, project)) else {
            return nil
        }
        let number = opened.prefix { $0 != 0 }
        self.init(
            id: id,
            scope: VerificationScope(purpose: purpose, holder: Array(opened.dropFirst(number.count + 1))),
            codeSource: codeSource,
            phoneNumber: String(decoding: number, as: UTF8.self)
        )
        dataKeyID = sealedNumber.first
    }

    init(id: VerificationID, scope: VerificationScope, codeSource: CodeSource, phoneNumber: String) {
        self.id = id
        self.scope = scope
        self.codeSource = codeSource
        self.phoneNumber = phoneNumber
    }

    private var header: TokenWriter { Self.header(id, scope.purpose, codeSource) }

    private static func header(_ id: VerificationID, _ purpose: Purpose, _ codeSource: CodeSource) -> TokenWriter {
        var token = TokenWriter(format: format)
        token.append(purpose.wireByte | codeSource.wireByte)
        token.append(id)
        return token
    }

    private static func context(_ header: [UInt8], _ project: String) -> SealingContext {
        SealingContext("session", after: header, of: project)
    }
}

/// The source of a session's verification code.
public enum CodeSource: String, Sendable, CaseIterable {
    /// Derived from the session under the server key, and sent by message.
    case derived
    /// Fixed by the operator for a test number; never sent.
    case testNumber = "test-number"

    var wireByte: UInt8 {
        switch self {
        case .derived: 0
        case .testNumber: 0x80
        }
    }
}

/// The purpose of a verification session. A code for one purpose is invalid for another.
public enum Purpose: String, Sendable, CaseIterable {
    /// Signing in with a phone number.
    case signIn = "sign-in"
    /// Adding a second factor to an account.
    case secondFactorEnrollment = "second-factor-enrollment"
    /// Proving a second factor after the first.
    case secondFactorSignIn = "second-factor-sign-in"

    /// The wire operation that requests sessions of this purpose.
    var operation: String {
        switch self {
        case .signIn: "sendVerificationCode"
        case .secondFactorEnrollment: "mfaEnrollment.start"
        case .secondFactorSignIn: "mfaSignIn.start"
        }
    }

    var wireByte: UInt8 {
        switch self {
        case .signIn: 1
        case .secondFactorEnrollment: 2
        case .secondFactorSignIn: 3
        }
    }
}

/// The purpose and holder of a session.
///
/// A sign-in session has no holder yet. A second-factor session belongs to the account that requests it and, if it
/// proves a factor, to that factor. A `sessionInfo` that was stolen, or was issued for another factor, is rejected as
/// unknown.
struct VerificationScope: Sendable, Hashable {
    let purpose: Purpose
    /// A keyed hash of the session's holder; empty if there is none.
    let holder: [UInt8]

    static let holderByteCount = 16
    static let signIn = VerificationScope(purpose: .signIn, holder: [])

    init(purpose: Purpose, holder: [UInt8]) {
        self.purpose = purpose
        self.holder = holder
    }

    /// Returns the scope of a session that adds a second factor to an account.
    static func enrollment(in account: AccountIdentity, _ keys: ServerKeys) -> VerificationScope {
        VerificationScope(.secondFactorEnrollment, account, secondFactorID: "", keys)
    }

    /// Returns the scope of a session that proves an account's second factor.
    static func secondFactor(_ id: String, of account: AccountIdentity, _ keys: ServerKeys) -> VerificationScope {
        VerificationScope(.secondFactorSignIn, account, secondFactorID: id, keys)
    }

    private init(_ purpose: Purpose, _ account: AccountIdentity, secondFactorID: String, _ keys: ServerKeys) {
        let hash = keys.lookups(
            "session-holder",
            .text(purpose.rawValue),
            .text(account.project),
            .text(account.uid),
            .text(secondFactorID)
        )
        self.init(purpose: purpose, holder: Array(hash.prefix(Self.holderByteCount)))
    }
}

extension VerificationCode {
    /// Derives the code of a session.
    ///
    /// The code is HMAC-SHA-256 over purpose, session id and number, reduced to six decimal digits. 64 bits are reduced
    /// modulo 10⁶, so the bias is below 2⁻⁴⁴. The code is never stored: a process with the server key derives it again.
    init(of session: VerificationID, for phoneNumber: String, purpose: Purpose, under codes: KeyedHash) {
        let authenticator = codes("code", .text(purpose.rawValue), .bytes(session.bytes), .text(phoneNumber))
        let number = authenticator.prefix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        digits = String(number % 1_000_000, digits: Self.digitCount)
    }

    /// Derives the code of a session from its ticket, under the server key of the generation that sealed the ticket.
    init(of ticket: VerificationTicket, under keys: ServerKeys) {
        self.init(
            of: ticket.id,
            for: ticket.phoneNumber,
            purpose: ticket.scope.purpose,
            under: ticket.dataKeyID.map { keys.codes(sealedBy: $0) } ?? keys.codes
        )
    }
}

public import Encodings

/// Why a signing key was not added to a key file.
public enum RotationRefusal: Error, Equatable {
    /// The file cannot be read.
    case file(KeyFileError)
    /// A new key is already waiting for its start time.
    case nextKeyWaits(id: String, signsFrom: Instant)
}

/// Why a signing key was not removed from a key file.
public enum RetirementRefusal: Error, Equatable {
    /// The file cannot be read.
    case file(KeyFileError)
    /// There is no such key.
    case keyUnknown
    /// The key is signing tokens: another key must begin first.
    case keySigns
    /// The key has not begun to sign.
    case keyWaits(signsFrom: Instant)
    /// Its tokens are valid until this time.
    case keyNeeded(until: Instant)
}

/// Why secrets were not added to a key file.
public enum SecretRotationRefusal: Error, Equatable {
    /// The file cannot be read.
    case file(KeyFileError)
    /// New secrets are already waiting for their start time.
    case nextSecretsWait(id: UInt8, usedFrom: Instant)
    /// All 256 ids are taken.
    case noFreeID
}

/// Why no index key was added to a key file.
public enum IndexKeyChangeRefusal: Error, Equatable {
    /// The file cannot be read.
    case file(KeyFileError)
    /// The highest id, 255, is taken.
    case noFreeID
}

/// A refusal for the case that the key file cannot be read.
protocol KeyFileRefusal: Error {
    static func file(_ error: KeyFileError) -> Self
}

extension KeyFileRefusal {
    /// Returns what a step that reads the file returns.
    /// - Throws: the refusal for a file that cannot be read.
    static func wrapping<Value>(_ step: @autoclosure () throws(KeyFileError) -> Value) throws(Self) -> Value {
        do { return try step() } catch { throw .file(error) }
    }
}

extension RotationRefusal: KeyFileRefusal {}
extension RetirementRefusal: KeyFileRefusal {}
extension SecretRotationRefusal: KeyFileRefusal {}
extension IndexKeyChangeRefusal: KeyFileRefusal {}

/// Changes to the keys: text in, text out. Everything else in the file is unchanged.
extension KeyFile {
    /// Adds a generation of secrets, a data key and a server key, that comes into use after `lead`. Older generations
    /// remain in the file for reading.
    ///
    /// Every machine must have the file by then. Otherwise it cannot open what the others seal.
    /// - Returns: the file's new text, the generation's id, and when it comes into use.
    /// - Throws: ``SecretRotationRefusal``.
    public static func rotateSecrets(
        _ text: [UInt8],
        after lead: Duration,
        _ environment: Environment
    ) throws(SecretRotationRefusal) -> (text: [UInt8], id: UInt8, usedFrom: Instant) {
        let now = environment.now()
        let usedFrom = (now + lead + .milliseconds(999)).seconds
        let states = try SecretRotationRefusal.wrapping(parse(text).secretStates(at: now))
        if let last = states.last, case .next(let usedFrom) = last.state {
            throw .nextSecretsWait(id: last.id, usedFrom: usedFrom)
        }
        let taken = Set(states.map(\.id))
        guard let id = (1...UInt8.max).first(where: { !taken.contains($0) }) ?? (taken.contains(0) ? nil : 0) else {
            throw .noFreeID
        }
        let newKey = { Base64URL.string(environment.randomBytes(symmetricKeyByteCount)) }
        let entry = JSONObject(
            members: [
                ("id", .number(String(id))), ("key", .string(newKey())), ("serverKey", .string(newKey())),
                ("usedFrom", .number(String(usedFrom))),
            ]
        )
        let changed = try SecretRotationRefusal.wrapping(replacing("dataKeys", of: text) { $0 + [.object(entry)] })
        return (changed, id, Instant(milliseconds: usedFrom * 1000))
    }

    /// Adds an index key. ``Authenticator/moveIndexKey(_:)`` puts it in force.
    /// - Returns: the file's new text and the key's id.
    /// - Throws: ``IndexKeyChangeRefusal``.
    public static func addIndexKey(
        _ text: [UInt8],
        _ environment: Environment
    ) throws(IndexKeyChangeRefusal) -> (text: [UInt8], id: UInt8) {
        let last = try IndexKeyChangeRefusal.wrapping(parse(text).indexKeyIDs.max() ?? 0)
        guard last < UInt8.max else { throw .noFreeID }
        let key = Base64URL.string(environment.randomBytes(symmetricKeyByteCount))
        let entry = JSONObject(members: [("id", .number(String(last + 1))), ("key", .string(key))])
        let changed = try IndexKeyChangeRefusal.wrapping(replacing("indexKeys", of: text) { $0 + [.object(entry)] })
        return (changed, last + 1)
    }

    /// Adds a signing key that begins to sign after `lead`.
    ///
    /// A lead of at least ``Policy/signingKeyLead`` lets verifiers fetch the key first. A lead of zero is for a
    /// compromised key: the new key signs at once, even if another one is waiting.
    /// - Returns: the file's new text and when the key begins to sign.
    /// - Throws: ``RotationRefusal``.
    public static func rotate(
        _ text: [UInt8],
        to key: NewSigningKey,
        after lead: Duration,
        at now: Instant
    ) throws(RotationRefusal) -> (text: [UInt8], signsFrom: Instant) {
        // Rounded up, so that a key never begins early.
        let signsFrom = lead > .zero ? (now + lead + .milliseconds(999)).seconds : now.seconds
        let states = try RotationRefusal.wrapping(parse(text).signingKeys.current.states(at: now))
        let changed = try RotationRefusal.wrapping(
            replacing("signingKeys", of: text) { $0 + [key.entry(signsFrom: signsFrom)] }
        )
        if lead > .zero, let last = states.last, case .next(let signsFrom) = last.state {
            throw .nextKeyWaits(id: last.id, signsFrom: signsFrom)
        }
        return (changed, Instant(milliseconds: signsFrom * 1000))
    }

    /// Removes signing keys.
    /// - Parameters:
    ///   - id: the key to remove; nil for all keys whose tokens have expired.
    ///   - text: the file.
    ///   - force: whether to remove a key that is waiting, or whose tokens are still valid. The signing key stays.
    ///   - now: the time.
    /// - Returns: the file's new text and the ids of the removed keys; nil if there is no key to remove.
    /// - Throws: ``RetirementRefusal``.
    public static func retire(
        _ id: String?,
        from text: [UInt8],
        force: Bool,
        at now: Instant
    ) throws(RetirementRefusal) -> (text: [UInt8], removed: [String])? {
        let states = try RetirementRefusal.wrapping(parse(text).signingKeys.current.states(at: now))
        let removed: [String]
        if let id {
            guard let state = states.first(where: { $0.id == id })?.state else { throw .keyUnknown }
            if let refusal = refusal(of: state, force: force) { throw refusal }
            removed = [id]
        } else {
            removed = states.filter { refusal(of: $0.state, force: false) == nil }.map(\.id)
        }
        guard !removed.isEmpty else { return nil }
        let changed = try RetirementRefusal.wrapping(
            replacing("signingKeys", of: text) { entries in
                entries.filter { entry in
                    entry.object?["id"]?.text.map { !removed.contains($0) } ?? true
                }
            }
        )
        return (changed, removed)
    }

    private static func refusal(of state: SigningKeyState, force: Bool) -> RetirementRefusal? {
        switch state {
        case .retirable: nil
        case .signing: .keySigns
        case .next(let signsFrom): force ? nil : .keyWaits(signsFrom: signsFrom)
        case .verifying(let end): force ? nil : .keyNeeded(until: end)
        }
    }

    /// Returns the text with other entries in one of its lists. The result is parsed again, so that nothing is written
    /// that workers would reject.
    private static func replacing(
        _ name: String,
        of text: [UInt8],
        _ change: ([JSONValue]) -> [JSONValue]
    ) throws(KeyFileError) -> [UInt8] {
        let file = try object(text)
        guard let entries = file[name]?.elements else { throw JSONFields<KeyFileError>(file).failure(name, .objects) }
        let changed = JSONWriter.object { json in
            for member in file.members where member.name != name { json.member(member.name, member.value) }
            json.member(name, .array(change(entries)))
        }
        _ = try parse(changed)
        return changed
    }
}

/// A signing key in the form written to a key file.
public struct NewSigningKey: Sendable, Confidential {
    /// The JWT header's `kid`.
    public let id: String
    /// An RSA key of 2048 bits or more, PEM (PKCS #1 or PKCS #8).
    let privateKey: String
    /// The self-signed X.509 certificate of its public key, PEM.
    let certificate: String

    /// Creates a key from its parts. They are checked only when the file is parsed.
    public init(id: String, privateKey: String, certificate: String) {
        self.id = id
        self.privateKey = privateKey
        self.certificate = certificate
    }

    /// Returns the key's entry in the file; `signsFrom` in seconds since the Unix epoch.
    func entry(signsFrom: Int64) -> JSONValue {
        .object(
            JSONObject(members: [
                ("id", .string(id)), ("privateKey", .string(privateKey)), ("certificate", .string(certificate)),
                ("signsFrom", .number(String(signsFrom))),
            ])
        )
    }
}

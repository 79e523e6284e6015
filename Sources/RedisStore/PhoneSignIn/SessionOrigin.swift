/// What a session keeps about the request that opened it: a single field, because every send writes it.
struct SessionOrigin {
    /// The remaining life of the session's lock, in milliseconds, at which the lock no longer holds. After a resend,
    /// the session's field `unlocked-life` replaces it.
    let unlockedLife: Int64
    /// Milliseconds since the Unix epoch.
    let createdAt: Int64
    let purpose: String

    /// One value per line. `send-verification-code.lua` reads the first one.
    var text: String { "\(unlockedLife)\n\(createdAt)\n\(purpose)" }
}

extension SessionOrigin {
    /// Reads the origin from a session's fields.
    init?(_ fields: HashFields) {
        let fields = PackedFields(fields, packed: ["origin": ["unlocked-life", "created", "purpose"]])
        guard let unlockedLife = fields.integer("unlocked-life"), let createdAt = fields.integer("created"),
            let purpose = fields.text("purpose")
        else { return nil }
        self.init(unlockedLife: unlockedLife, createdAt: createdAt, purpose: purpose)
    }
}

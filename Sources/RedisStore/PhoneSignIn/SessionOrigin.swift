/// What a session keeps about the request that opened it: a single field, because every send writes it.
struct SessionOrigin {
    /// The remaining life of the session's lock, in milliseconds, at which the lock no longer holds. After a resend,
    /// the session's field `unlocked-life` replaces it.
    let unlockedLife: Int64
    /// Milliseconds since the Unix epoch.
    let createdAt: Int64
    let project: String
    let purpose: String

    /// One value per line. `send-verification-code.lua` reads the first one.
    var text: String { "\(unlockedLife)\n\(createdAt)\n\(project)\n\(purpose)" }
}

extension SessionOrigin {
    /// Reads the origin from a session's fields. The previous version had a field for each value.
    init?(_ fields: HashFields) {
        let fields = PackedFields(fields, packed: ["origin": ["unlocked-life", "created", "project", "purpose"]])
        guard let createdAt = fields.integer("created"), let project = fields.text("project"),
            let purpose = fields.text("purpose")
        else { return nil }
        self.init(
            unlockedLife: fields.integer("unlocked-life") ?? 0,
            createdAt: createdAt,
            project: project,
            purpose: purpose
        )
    }
}

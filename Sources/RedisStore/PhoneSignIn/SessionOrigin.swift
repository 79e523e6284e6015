/// What a session keeps about the request that opened it: one field, because a send writes it each time.
struct SessionOrigin {
    /// The remaining life of the session's lock from which on it no longer holds, in milliseconds. When the message is
    /// sent again, the session's field `unlocked-life` takes its place.
    let unlockedLife: Int64
    /// Milliseconds since the Unix epoch.
    let createdAt: Int64
    let project: String
    let purpose: String

    /// One value a line. `send-verification-code.lua` reads the first one.
    var text: String { "\(unlockedLife)\n\(createdAt)\n\(project)\n\(purpose)" }
}

extension SessionOrigin {
    /// Reads it from a session's fields. The version before had a field for each value.
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

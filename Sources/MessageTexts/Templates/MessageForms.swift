/// One language's text in forms that say less and less, for when the whole of it costs more or is not allowed.
struct MessageForms: Sendable, Hashable {
    let fullest: MessageTemplate
    let shorter: [MessageTemplate]

    /// An operator's template is sent as it stands: in some countries networks drop what differs from a registered wording.
    init(override: MessageTemplate) {
        self.fullest = override
        self.shorter = []
    }

    /// The forms of a wording of ours.
    ///
    /// - Parameters:
    ///   - wording: of one language.
    ///   - hasAppName: whether messages name the app.
    ///   - mayDropName: where a form without the name is better than one that is too long.
    init(_ wording: MessageWording, hasAppName: Bool, mayDropName: Bool) {
        self.fullest = MessageTemplate(hasAppName ? wording.named : wording.unnamed)
        var shorter = [hasAppName ? wording.brieflyNamed : wording.brieflyUnnamed]
        if hasAppName, mayDropName { shorter.append(wording.brieflyUnnamed) }
        self.shorter = shorter.map(MessageTemplate.init)
    }
}

internal import DialtoneTexts

/// One language's text in successively shorter forms, for messages whose full form would cost more or is not allowed.
struct MessageForms: Sendable, Hashable {
    let fullest: MessageTemplate
    let shorter: [MessageTemplate]

    /// Uses an operator's template unchanged: in some countries, networks block texts that differ from a registered
    /// wording.
    init(override: MessageTemplate) {
        self.fullest = override
        self.shorter = []
    }

    /// Creates the forms of a built-in wording.
    ///
    /// - Parameters:
    ///   - wording: the wording of one language.
    ///   - hasAppName: whether messages name the app.
    ///   - mayDropName: whether a form without the name is better than a form that is too long.
    init(_ wording: MessageWording, hasAppName: Bool, mayDropName: Bool) {
        self.fullest = MessageTemplate(hasAppName ? wording.named : wording.unnamed)
        var shorter = [hasAppName ? wording.brieflyNamed : wording.brieflyUnnamed]
        if hasAppName, mayDropName { shorter.append(wording.brieflyUnnamed) }
        self.shorter = shorter.map(MessageTemplate.init)
    }
}

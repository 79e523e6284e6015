internal import DialtoneTexts

/// The placeholders of a message.
enum MessagePlace: String, TemplatePlace {
    case code
    case app
}

/// The text of a message.
typealias MessageTemplate = Template<MessagePlace>

extension MessageTemplate {
    /// Returns the text with its placeholders filled.
    func filled(code: String, appName: AppName?) -> String {
        filled { place in
            switch place {
            case .code: code
            case .app: appName?.text(inRightToLeftText: isRightToLeft) ?? ""
            }
        }
    }

    /// Parses and validates an operator's template, with `{code}` once and `{app}` at most once.
    init(override text: String, hasAppName: Bool) throws(TemplateFault) {
        try self.init(override: text, required: .code, hasAppName: hasAppName, maximumLength: 500)
    }
}

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
        self.shorter = shorter.map { MessageTemplate($0) }
    }
}

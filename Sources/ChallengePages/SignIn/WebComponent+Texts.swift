internal import DialtoneTexts
internal import Encodings

extension WebComponent {
    /// Returns the component's texts by name. The account component also has the texts of the sign-in component.
    func texts(in language: Language) -> JSONObject {
        var texts = SharedText.ofComponent.map { (name: $0.rawValue, value: JSONValue.string(language.text($0))) }
        if case .account = self {
            texts += PageText.ofAccount.map { (name: $0.rawValue, value: JSONValue.string(language.text($0))) }
            texts.append((name: SharedText.cancel.rawValue, value: .string(language.text(.cancel))))
        }
        return JSONObject(members: texts)
    }

    /// Returns the component's title in steps that ask for nothing.
    func title(in language: Language) -> String {
        switch self {
        case .signIn: language.text(.title)
        case .account: language.text(.accountTitle)
        }
    }
}

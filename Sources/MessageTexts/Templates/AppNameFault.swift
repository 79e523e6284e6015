/// Why a text cannot be an app's name in messages.
public enum AppNameFault: Error, Equatable {
    /// No visible characters.
    case empty
    /// More code points than ``maximumLength``.
    case tooLong
    /// A control character, a line break, or a bidirectional control.
    case controlCharacter
    /// It contains `://`. A bare domain such as `example.com` is allowed, because apps do have such names.
    case link

    /// The maximum length, in Unicode code points.
    public static let maximumLength = 40
}

extension AppNameFault: CustomStringConvertible {
    /// One line for the operator, without the name itself.
    public var description: String {
        switch self {
        case .empty: "the app name is empty"
        case .tooLong: "the app name has more than \(Self.maximumLength) characters"
        case .controlCharacter:
            "the app name contains a control character, a line break or a character that changes the text direction"
        case .link: "the app name contains a link (://)"
        }
    }
}

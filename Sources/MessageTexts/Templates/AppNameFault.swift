/// Why a text cannot stand in messages as an app's name.
public enum AppNameFault: Error, Equatable {
    /// Nothing that a reader would see.
    case empty
    /// More code points than ``maximumLength``.
    case tooLong
    /// A control character, a line break, or one that turns the direction of the text about it.
    case controlCharacter
    /// It holds `://`. A bare domain such as `example.com` is a name that apps do have, and allowed.
    case link

    /// How many Unicode code points a name may have.
    public static let maximumLength = 40
}

extension AppNameFault: CustomStringConvertible {
    /// One line for the operator, without the name itself.
    public var description: String {
        switch self {
        case .empty: "the app name is empty"
        case .tooLong: "the app name has more than \(Self.maximumLength) characters"
        case .controlCharacter:
            "the app name has a control character, a line break or a character that changes the text's direction"
        case .link: "the app name has a link (://)"
        }
    }
}

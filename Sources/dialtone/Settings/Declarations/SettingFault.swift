/// Why the text of a setting is refused.
enum SettingFault: Error {
    /// The value does not have a form, such as `a number from 1 to 512`.
    case isNot(String)
    /// Another reason, in words that contain no secret.
    case because(String)
}

/// The reason why the text of a setting is rejected.
enum SettingFault: Error {
    /// The value does not have the required form, such as `a number from 1 to 512`.
    case isNot(String)
    /// Another reason. The text contains no secret.
    case because(String)
}

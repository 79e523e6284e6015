/// The wording of a message in one language, as templates. Each language is a separate value, so the compiler checks
/// that it has all forms.
///
/// The code comes first, so that the preview in a notification shows it. It is next to the language's word for "code",
/// so that phones recognize it (autofill). Its digits are ASCII in every script, because people type ASCII digits. The
/// full forms fit one segment with a name of 20 characters. If a language reads well without letters that the GSM
/// alphabet lacks, its wording avoids them; letters are never replaced.
public struct MessageWording: Sendable, Hashable {
    /// Code, app name, and the advice not to share the code.
    public let named: String
    /// Code and advice, for apps without a name.
    public let unnamed: String
    /// Code and app name in as few characters as read well.
    public let brieflyNamed: String
    /// Only the information that the digits are a code.
    public let brieflyUnnamed: String
}

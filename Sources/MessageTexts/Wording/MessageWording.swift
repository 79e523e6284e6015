/// What a message says in one language, as templates. Each language is a value of its own, so that none can lack a form.
///
/// The code comes first, so that a notification's preview shows it, and next to the language's word for a code, by which phones recognize
/// it. Its digits are ASCII in every script, since that is what people type. The full forms fit one segment with a name of 20 characters.
/// Where a language reads well without letters that the GSM alphabet lacks, its wording does without them; letters are never replaced.
struct MessageWording: Sendable, Hashable {
    /// Code, owner, and the advice not to share it.
    let named: String
    /// Code and advice, where the app has no name.
    let unnamed: String
    /// Code and owner in as few characters as read well.
    let brieflyNamed: String
    /// Only that this is a code.
    let brieflyUnnamed: String
}

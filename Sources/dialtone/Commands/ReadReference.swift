import PhoneAuth
import RedisScripts

/// Parses the reference of a decision.
/// - Throws: ``Failure`` if the text is not a reference.
func readReference(_ text: String) throws(Failure) -> DecisionReference {
    guard let reference = DecisionReference(text) else {
        throw Failure("\"\(text)\": not a reference of 12 letters and digits, such as 7K3M-9QXA-2BCD")
    }
    return reference
}

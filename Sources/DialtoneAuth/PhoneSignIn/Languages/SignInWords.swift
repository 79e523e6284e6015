/// The texts of the sign-in view in one language.
///
/// The names and words are those of the server's sign-in component and challenge page, which this library cannot
/// import. A test compares them (`ClientTextsTests`), so change a text in both places. Only the notice and ``notSaved``
/// belong to this library alone.
struct SignInWords: Sendable {
    let title: String
    let number: String
    let country: String
    let search: String
    let noCountry: String
    let cancel: String
    let notice: String
    let send: String
    let waiting: String
    let codeTitle: String
    let codeSent: String
    let code: String
    let verify: String
    let resend: String
    let resendIn: String
    let changeNumber: String
    let doneTitle: String
    let missing: String
    let invalidNumber: String
    let regionNotAllowed: String
    let wrongCode: String
    let codeExpired: String
    let tooManyRequests: String
    let tooManyRequestsFor: String
    let secondFactorUser: String
    let disabled: String
    let refused: String
    let checkFailed: String
    let networkFailed: String
    let serverFailed: String
    let notSaved: String
    let reference: String
}

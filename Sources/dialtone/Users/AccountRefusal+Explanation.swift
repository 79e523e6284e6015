import PhoneAuth

private let numberFault =
    "is not a possible number in E.164 form, or SMS_UNASSIGNED_NUMBERS is refused and the numbering data do not know it"

extension AccountRefusal {
    /// One line for the operator, without any of the account's data.
    var explanation: String {
        switch self {
        case .uidInvalid: "a uid has \(AccountID.rule)"
        case .uidTaken: "the uid belongs to another account, or this account has changed"
        case .accountUnknown: "no such account"
        case .numberInvalid: "the phone number \(numberFault)"
        case .numberExists: "the phone number belongs to another account"
        case .numberIsTestNumber: "the phone number is a test number: only a sign-in with its code may use it"
        case .credential(.emailInvalid): "the e-mail address is not valid"
        case .credential(.emailExists): "the e-mail address belongs to another account"
        case .credential(let refusal): "the e-mail address or the password is not accepted: \(refusal)"
        case .displayNameTooLong: "the display name has more than \(DisplayName.maximumCharacters) characters"
        case .photoURLTooLong: "the photo URL has more than \(Account.maximumPhotoURLBytes) bytes"
        case .validSinceInFuture(let seconds):
            "validSince \"\(seconds)\" is in the future; it is in seconds since the Unix epoch"
        case .secondFactor(let fault): fault.explanation
        case .failed(.unavailable(let store)): "\(store)"
        case .failed(.interrupted), .failed(.contended): "the account was changed concurrently: try again"
        case .failed(.cryptographyFailed): "encryption failed"
        case .failed(.blocked): "a blocking hook rejected it"
        case .failed(.passwordNotHashed): "the password could not be hashed"
        case .failed(.notAdmitted(let refusal)): "\(refusal)"
        }
    }
}

extension AssignedSecondFactorFault {
    fileprivate var explanation: String {
        switch self {
        case .numberInvalid: "a second factor's phone number \(numberFault)"
        case .numberIsTestNumber: "a second factor's phone number is a test number"
        case .idMissing: "a second factor has no id"
        case .idInvalid: "a second factor's id has \(AccountID.rule)"
        case .idRepeated: "two second factors have the same id"
        case .secretMissing: "an authenticator app's secret is missing"
        case .secretInvalid: "an authenticator app's secret is not 10 to 64 bytes in Base32"
        case .tooMany: "the account has more than \(SecondFactor.maximumPerAccount) second factors"
        }
    }
}

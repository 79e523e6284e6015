import PhoneAuth

extension AccountRefusal {
    /// One line for the operator, without any of the account's data.
    var explanation: String {
        switch self {
        case .uidInvalid: "a uid has 1 to \(Policy.maximumUIDCharacters) characters"
        case .uidTaken: "the uid is another account's, or this account has changed"
        case .accountUnknown: "there is no such account"
        case .numberInvalid: "the number is not a possible phone number in E.164 form"
        case .numberExists: "the number is another account's"
        case .credential(.emailInvalid): "the e-mail address is none"
        case .credential(.emailExists): "the e-mail address is another account's"
        case .credential(let refusal): "the e-mail address or the password is not taken: \(refusal)"
        case .displayNameTooLong: "the name has more than \(Policy.maximumDisplayNameCharacters) characters"
        case .photoURLTooLong: "the picture's address has more than \(Policy.maximumPhotoURLBytes) bytes"
        case .validSinceInFuture(let seconds):
            "\(seconds): validSince is in the future, in seconds since the Unix epoch"
        case .secondFactor(let fault): fault.explanation
        case .failed(.unavailable(let store)): "\(store)"
        case .failed(.interrupted), .failed(.contended): "others changed it at the same time: try again"
        case .failed(.cryptographyFailed): "sealing failed"
        case .failed(.blocked): "a blocking hook did not allow it"
        case .failed(.passwordNotHashed): "the password was not hashed"
        case .failed(.notAdmitted(let refusal)): "\(refusal)"
        }
    }
}

extension GivenSecondFactorFault {
    fileprivate var explanation: String {
        switch self {
        case .numberInvalid: "a second factor's number is not a possible phone number in E.164 form"
        case .idMissing: "a second factor has no id"
        case .idTooLong: "a second factor's id has more than \(Policy.maximumUIDCharacters) characters"
        case .idRepeated: "two second factors have the same id"
        case .secretMissing: "an authenticator app's secret is missing"
        case .secretInvalid: "an authenticator app's secret is not base 32 of 10 to 64 bytes"
        case .tooMany: "it has more than \(Policy.maximumSecondFactors) second factors"
        }
    }
}

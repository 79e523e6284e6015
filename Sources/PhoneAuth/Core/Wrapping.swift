internal import RedisScripts

// Refusals that wrap the errors of the steps of an operation, so that a step is one expression:
//
//     let record = try SecondFactorRefusal.wrapping(store.account(identity))
//     let outcome = try SecondFactorRefusal.wrapping(failureOf: issueTokens(request))
//     let user = try SecondFactorRefusal.wrapping(refusalOf: identify(idToken: idToken))

/// A refusal for the case that the store does not respond.
protocol StoreRefusal: Error {
    static func unavailable(_ error: StoreUnavailable) -> Self
}

extension StoreRefusal {
    /// Returns what the store returns.
    /// - Throws: the refusal for a store that does not respond.
    static func wrapping<Value>(_ step: @autoclosure () throws(StoreUnavailable) -> Value) throws(Self) -> Value {
        do { return try step() } catch { throw .unavailable(error) }
    }
}

/// A refusal for the case that the operation failed through no fault of its caller.
protocol OperationRefusal: StoreRefusal {
    static func failed(_ failure: OperationFailure) -> Self
}

extension OperationRefusal {
    static func unavailable(_ error: StoreUnavailable) -> Self { .failed(.unavailable(error)) }

    /// Returns what a step of the operation returns.
    /// - Throws: the refusal for a failed operation.
    @discardableResult
    static func wrapping<Value>(
        failureOf step: @autoclosure () throws(OperationFailure) -> Value
    ) throws(Self) -> Value {
        do { return try step() } catch { throw .failed(error) }
    }
}

/// A refusal for the case that the ID token of the request is not accepted.
protocol UserRefusal: Error {
    static func notAuthenticated(_ refusal: IDTokenRefusal) -> Self
}

extension UserRefusal {
    /// Returns what the ID token of the request proves.
    /// - Throws: the refusal for an ID token that is not accepted.
    static func wrapping<Value>(
        refusalOf step: @autoclosure () throws(IDTokenRefusal) -> Value
    ) throws(Self) -> Value {
        do { return try step() } catch { throw .notAuthenticated(error) }
    }
}

extension AccountRefusal: OperationRefusal {}
extension AdminRefusal: OperationRefusal {}
extension ChangeConfigurationRefusal: OperationRefusal {}
extension DeleteAccountRefusal: StoreRefusal, UserRefusal {}
extension EndUserSessionRefusal: StoreRefusal, UserRefusal {}
extension ExchangeAuthorizationCodeRefusal: OperationRefusal {}
extension ExchangeRefreshTokenRefusal: OperationRefusal {}
extension ExportFailure: StoreRefusal {}
extension IDTokenRefusal: StoreRefusal {}
extension IndexKeyMoveFailure: StoreRefusal {}
extension IssueChallengeTokenRefusal: StoreRefusal {}
extension NumberLimitsRefusal: StoreRefusal {}
extension OperationFailure: StoreRefusal {}
extension ProofError: StoreRefusal {}
extension RevertSecondFactorRefusal: OperationRefusal {}
extension SecondFactorRefusal: OperationRefusal, UserRefusal {}
extension SendVerificationCodeRefusal: StoreRefusal {}
extension SessionCookieRefusal: OperationRefusal, UserRefusal {}
extension SignInMethodsRefusal: StoreRefusal {}
extension SignInWithPasswordRefusal: OperationRefusal {}
extension SignInWithPhoneNumberRefusal: OperationRefusal {}
extension SignUpRefusal: OperationRefusal {}
extension TestNumberRefusal: StoreRefusal {}
extension UpdateAccountRefusal: OperationRefusal, UserRefusal {}
extension VerificationCodeRefusal: OperationRefusal {}
extension VerifyClientRefusal: StoreRefusal {}

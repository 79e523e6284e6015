import ChallengePages
import Testing

@testable import IdentityToolkit

/// The sentences that users of the components read about refusals.
@Suite struct ErrorSentenceTests {
    /// The codes of requests that the components do not send.
    private static let codesForOthers: Set<ErrorCode> = [
        // Native apps, custom tokens, and other grants.
        .alternateClientIdentifierRequired, .missingIOSAppToken, .missingGrantType, .invalidGrantType,
        .missingCustomToken, .invalidCustomToken, .credentialMismatch, .claimsTooLarge, .invalidClaims,
        .forbiddenClaim,
        // Sign-ups and changes of an account.
        .unexpectedParameter, .invalidRequestType, .invalidProfileAttribute, .weakPassword,
        .missingIdentifier, .invalidIdentifier, .missingContinueURI, .missingOOBCode, .missingRequestType,
        .missingNewEmail, .invalidHostingLinkDomain, .invalidDynamicLinkDomain, .missingAndroidPackageName,
        // Administration.
        .insufficientPermission, .unauthenticated, .permissionDenied, .projectNotFound, .missingLocalID,
        .invalidLocalID, .duplicateLocalID, .invalidPageSelection, .invalidDuration, .invalidMFAPhoneNumber,
        .invalidMFAEnrollmentID, .duplicateMFAEnrollmentID, .missingUserAccount, .maximumUserCountExceeded,
        .localIDListExceedsLimit, .duplicateEmail, .duplicateRawID, .missingHashAlgorithm, .invalidHashAlgorithm,
        .invalidHashParameters, .invalidPasswordHash, .notDisabled, .invalidConfig, .invalidBlockingFunction,
        .invalidTestingPhoneNumber, .maximumTestPhoneNumberExceeded,
    ]

    @Test("every code that the server returns to a component has a sentence")
    func sentences() throws {
        let script = String(decoding: ComponentModule.signIn.body, as: UTF8.self)
        let table = try #require(script.split(separator: "const CODES_BY_TEXT = {").last?.split(separator: "};").first)
        let codes = table.split { !($0.isUppercase || $0 == "_") }.map(String.init).filter { $0.count > 1 }
        for code in ErrorCode.allCases {
            #expect(codes.contains(code.rawValue) != Self.codesForOthers.contains(code), "\(code.rawValue)")
        }
        #expect(Set(codes).count == codes.count, "a code has two sentences")
    }
}

import Combine
import DialtoneAuth
import Foundation

@MainActor final class SignInModel: ObservableObject {
    @Published var problem = ""

    func sendCode(to phoneNumber: String) async {
        do {
            _ = try await PhoneAuthProvider.provider().verifyPhoneNumber(phoneNumber)
            problem = ""
        } catch {
            problem = PhoneSignInTexts().description(of: error)
        }
    }

    func signIn(with code: String) async {
        let provider = PhoneAuthProvider.provider()
        guard let verification = provider.verificationInProgress else { return }
        let credential = provider.credential(
            withVerificationID: verification.verificationID,
            verificationCode: code
        )
        do {
            try await Auth.auth().signIn(with: credential)
            problem = ""
        } catch {
            problem = PhoneSignInTexts().description(of: error)
        }
    }
}

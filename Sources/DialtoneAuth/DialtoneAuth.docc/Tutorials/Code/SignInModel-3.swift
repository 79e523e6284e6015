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
        } catch let error where AuthErrorCode(error) == .invalidVerificationCode {
            problem = "The code is wrong. Enter it again."
        } catch let error where AuthErrorCode(error) == .sessionExpired {
            problem = "The code has expired. Send a new one."
        } catch let error where AuthErrorCode(error) == .tooManyRequests {
            problem = "Try again in \(Int(error.dialtoneRetryAfter ?? 60)) seconds."
        } catch {
            problem = PhoneSignInTexts().description(of: error)
        }
    }
}

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
}

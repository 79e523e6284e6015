import DialtoneAuth
import Foundation

func messages() async throws -> Data {
    guard let user = Auth.auth().currentUser, let url = URL(string: "https://api.example.com/messages") else {
        throw AuthErrorCode.nullUser
    }
    var request = URLRequest(url: url)
    request.setValue("Bearer \(try await user.getIDToken())", forHTTPHeaderField: "Authorization")
    return try await URLSession.shared.data(for: request).0
}

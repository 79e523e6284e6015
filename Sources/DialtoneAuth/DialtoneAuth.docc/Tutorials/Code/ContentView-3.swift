import DialtoneAuth
import SwiftUI

struct ContentView: View {
    @State private var user = Auth.auth().currentUser
    @State private var problem = ""

    var body: some View {
        VStack {
            if let user {
                Text("Welcome, \(user.phoneNumber ?? "")")
                Button("Sign out") { signOut() }
                Text(problem)
            } else {
                PhoneSignInView()
            }
        }
        .padding()
        .task {
            for await current in Auth.auth().authStateChanges { user = current }
        }
    }

    private func signOut() {
        do {
            try Auth.auth().signOut()
            problem = ""
        } catch {
            problem = PhoneSignInTexts().description(of: error)
        }
    }
}

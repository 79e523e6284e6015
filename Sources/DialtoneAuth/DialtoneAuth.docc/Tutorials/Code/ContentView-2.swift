import DialtoneAuth
import SwiftUI

struct ContentView: View {
    @State private var user = Auth.auth().currentUser

    var body: some View {
        VStack {
            if let user {
                Text("Welcome, \(user.phoneNumber ?? "")")
            } else {
                PhoneSignInView()
            }
        }
        .padding()
        .task {
            for await current in Auth.auth().authStateChanges { user = current }
        }
    }
}

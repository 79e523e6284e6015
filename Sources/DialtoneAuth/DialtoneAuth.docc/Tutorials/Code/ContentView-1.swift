import DialtoneAuth
import SwiftUI

struct ContentView: View {
    var body: some View {
        PhoneSignInView()
            .padding()
    }
}

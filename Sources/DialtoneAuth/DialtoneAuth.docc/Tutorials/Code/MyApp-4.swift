import DialtoneAuth
import SwiftUI

@main struct MyApp: App {
    init() {
        // Your server, and one of the API keys of your project.
        let server = URL(string: "https://auth.example.com")
        DialtoneApp.configure(options: DialtoneOptions(url: server, apiKey: "my-api-key"))
        #if DEBUG
            Auth.auth().useEmulator(withHost: "127.0.0.1", port: 9099)
        #endif
    }

    var body: some Scene {
        WindowGroup {
            Text("Hello")
                .dialtoneAuth()
                .task {
                    for diagnosis in await Auth.auth().diagnose() { print(diagnosis) }
                }
        }
    }
}

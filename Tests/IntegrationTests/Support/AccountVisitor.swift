import TestBrowser
import Testing

/// A suite that visits the hosted account page as a signed-in user, with the steps that such suites share.
protocol AccountVisitor: SignInVisitor {}

extension AccountVisitor {
    /// Visits the page with tokens that the browser has stored in an earlier visit.
    func visitAccount(
        of user: SecondFactorUser?,
        _ steps: [Visit.Step],
        language: String = "en",
        query: String = "",
        on other: RunningServer? = nil,
        set: (inout Visit) -> Void = { _ in }
    ) throws -> VisitedPage {
        let tokens = user.map { (idToken: $0.idToken, refreshToken: $0.refreshToken) }
        return try visitAccount(with: tokens, steps, language: language, query: query, on: other, set: set)
    }

    func visitAccount(
        with tokens: (idToken: String, refreshToken: String)?,
        _ steps: [Visit.Step],
        language: String = "en",
        query: String = "",
        on other: RunningServer? = nil,
        set: (inout Visit) -> Void = { _ in }
    ) throws -> VisitedPage {
        let path = "/__/auth/account?apiKey=\(RunningServer.apiKey)&hl=\(language)\(query)"
        return try visit(steps, path: path, on: other) { visit in
            set(&visit)
            guard let tokens else { return }
            visit.prepare += """
                ;if (location.protocol === 'http:' && !sessionStorage.getItem('isSignedIn')) {
                  sessionStorage.setItem('isSignedIn', 'true');
                  localStorage.setItem('\(Self.userKey)', JSON.stringify({
                    idToken: '\(tokens.idToken)', refreshToken: '\(tokens.refreshToken)', end: Date.now() + 3000000,
                  }));
                }
                """
        }
    }

    /// Returns a selector for an element inside the component.
    static func inside(_ selector: String) -> String { "dialtone-account >>> \(selector)" }

    static func showsAccount(_ step: String = "account") -> Visit.Step {
        .wait("find('dialtone-account')?.dataset.step === '\(step)'")
    }

    static func showsInAccount(_ text: String) -> Visit.Step {
        .wait("find('\(inside(".stage"))')?.textContent.includes('\(text)')")
    }

    /// Presses the button with this text by keyboard.
    static func pressInAccount(_ text: String) -> [Visit.Step] {
        let button =
            "[...find('\(inside(".stage"))').querySelectorAll('button')].find((each) => "
            + "each.textContent === '\(text)')"
        return [.wait(button), .evaluate("void \(button).focus()"), .press("Enter")]
    }

    static func accountHasFocus(_ selector: String) -> Visit.Step {
        .wait("find('dialtone-account').shadowRoot.activeElement?.matches('\(selector)')")
    }

    static var accountText: Visit.Step { .evaluate("find('\(inside(".stage"))').innerText") }
}

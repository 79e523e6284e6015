import Encodings
import TestBrowser
import Testing

extension SignInSteps {
    /// Returns a JavaScript expression for the path of the link in the last e-mail to an address.
    static func link(to email: String, _ kind: String) -> String {
        """
        (await (await fetch('/emulator/v1/projects/demo-dialtone/oobCodes')).json()).oobCodes
          .filter((each) => [each.email, each.newEmail].includes('\(email)') && each.requestType === '\(kind)')
          .map(({ oobLink }) => oobLink.replace(/^https?:..[^/]*/, '')).at(-1)
        """
    }

    /// Opens the link in the last e-mail to an address, in the same tab.
    static func openLink(to email: String, _ kind: String) -> Visit.Step {
        .evaluate("(async () => { location.href = \(link(to: email, kind)) })()")
    }

    /// Presses the sign-in component's button with this text by keyboard.
    static func pressInSignIn(_ text: String) -> [Visit.Step] {
        let button =
            "[...find('\(part(".stage"))').querySelectorAll('button')].find((each) => each.textContent === '\(text)')"
        return [.wait(button), .evaluate("void \(button).focus()"), .press("Enter")]
    }

    /// Lets the sign-in component offer links.
    static var offersLinks: String {
        """
        ;document.addEventListener('readystatechange', () => {
          document.querySelector('dialtone-sign-in')?.setAttribute('email-link', '');
        });
        """
    }
}

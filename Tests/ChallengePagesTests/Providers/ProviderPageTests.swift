import DialtoneTexts
import Encodings
import PhoneAuth
import TestBrowser
import Testing

@testable import ChallengePages

/// The page with a provider's widget. The browser gets a mock widget of the test in place of the provider's script.
@Suite(.sharedBrowser) struct ProviderPageTests {
    let server: PageServer

    init() throws { server = try PageServer() }

    /// Returns a widget that reports how it was created, and responds when it is clicked or, if invisible, executed.
    static func widget(_ name: String, answer: String) -> String {
        """
        window.\(name) = {
          render(place, options) {
            window.options = options;
            const button = document.createElement('button');
            button.id = 'person';
            button.addEventListener('click', () => options.callback('\(answer)'));
            place.append(button);
            return 7;
          },
          execute(id) { if (id === 7) window.options.callback('\(answer)'); },
          reset() {},
        };
        window.widgetLoaded();
        """
    }

    func visit(
        _ kind: ChallengeProvider.Kind,
        _ name: String,
        answer: String,
        steps: [Visit.Step]
    ) throws -> VisitedPage {
        try server.visit(name, steps: steps) {
            $0.respond = [kind.script(.english): Self.widget(kind.interfaceName, answer: answer)]
        }
    }

    @Test(
        "a widget's response is posted, and the app is opened",
        arguments: [
            (ChallengeProvider.Kind.recaptchaCheckbox, "checkbox"), (.hCaptcha, "hcaptcha"), (.turnstile, "turnstile"),
        ]
    )
    func solves(kind: ChallengeProvider.Kind, name: String) throws {
        let page = try visit(
            kind,
            name,
            answer: "good",
            steps: [
                .wait("document.querySelector('#person')"), .evaluate("document.body.innerText"),
                .evaluate("window.options.sitekey"), .click("#person"), .state("done"), .navigation(1),
            ]
        )
        #expect(page.links == [server.link] && page.faults == [])
        guard case .string(let before) = page.values[0] else { return }
        #expect(before.contains(Language.english.text(.confirm)) && before.contains(Language.english.text(.cancel)))
        #expect(page.values[1] == .string("site-key"))
    }

    @Test("an invisible widget needs no user action")
    func invisible() throws {
        let page = try visit(.recaptchaInvisible, "invisible", answer: "good", steps: BrowserTests.solved)
        #expect(page.links == [server.link] && page.faults == [])
    }

    @Test("a response that the provider rejects is shown as an error")
    func rejected() throws {
        let page = try visit(
            .turnstile,
            "turnstile",
            answer: "bad",
            steps: [.wait("window.options"), .click("#person"), .state("failed")]
        )
        #expect(page.text.contains(Language.english.text(.checkFailed)))
    }

    @Test("a widget that cannot be loaded shows an error and can be retried")
    func unreachable() throws {
        let steps: [Visit.Step] = [.state("failed"), .click("#back"), .navigation(1)]
        let page = try server.visit("hcaptcha", steps: steps) { $0.respond = [:] }
        #expect(page.text.contains(Language.english.text(.networkFailed)))
        #expect(page.links == [try Sample.callback().link(error: .networkRequestFailed).url])
    }
}

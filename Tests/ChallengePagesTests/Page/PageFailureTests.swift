import DialtoneTexts
import Encodings
import PhoneAuth
import TestBrowser
import Testing

@testable import ChallengePages

/// The end of the page, in a real Chromium, without a token for the app.
@Suite(.sharedBrowser) struct PageFailureTests {
    let server: PageServer

    init() throws { server = try PageServer() }

    static let failures: [(String, VerifyAppError, said: String)] = {
        let language = Language.english
        return [
            ("reject", .checkFailed, language.text(.checkFailed)),
            ("limit", .tooManyRequests, language.text(.tooManyRequests)),
            ("fail", .internalError, language.text(.serverFailed)),
            ("garbage", .internalError, language.text(.serverFailed)),
            ("elsewhere", .internalError, language.text(.serverFailed)),
            ("hang%20up", .networkRequestFailed, language.text(.networkFailed)),
        ]
    }()

    @Test("a failure is shown, with a way back to the app or to another attempt", arguments: failures)
    func fails(answer: String, error: VerifyAppError, said: String) throws {
        let page = try server.visit("en", answer: answer, steps: [.state("failed"), .click("#back"), .navigation(1)])
        let language = Language.english
        #expect(page.text.contains(said))
        #expect(page.text.contains(language.text(.tryAgain)) && page.text.contains(language.text(.backToApp)))
        #expect(page.links == [try Sample.callback().link(error: error).url])
        #expect(page.focus == language.text(.failedHeading))
    }

    @Test("another attempt gets a new challenge")
    func tryAgain() throws {
        let page = try server.visit(
            "en",
            answer: "reject",
            steps: [
                .state("failed"), .evaluate("history.replaceState(null, '', location.href.replace('reject', ''))"),
                .click("#failed .retry"), .state("done"), .navigation(1),
            ]
        )
        #expect(page.links == [server.link])
        #expect(server.posts.count == 3 && server.posts[1].contains("/__/auth/challenge"))
    }

    @Test("cancelling notifies the app and stops the work")
    func cancel() throws {
        // With a worker that never responds, the work continues until it is cancelled.
        let page = try server.visit("en", steps: [.click("#cancel a"), .navigation(1), .state("cancelled")]) {
            $0.prepare = "window.Worker = class { postMessage() {} terminate() { window.ended = true } }"
            $0.steps.append(.evaluate("window.ended"))
        }
        #expect(page.links == [try Sample.callback().link(error: .cancelled).url])
        #expect(page.values == [.bool(true)])
        #expect(page.text.contains(Language.english.text(.backToApp)))
        #expect(server.posts.isEmpty)
    }

    @Test("a rejected request is reported to the app only if its scheme is registered")
    func refused() throws {
        let mismatch = try server.visit("mismatch", steps: [.navigation(1)])
        #expect(mismatch.links == [try Sample.callback().link(error: .bundleIDMismatch).url])
        #expect(mismatch.text.contains("bundle-id-mismatch"))
        let unknown = try server.visit("refusedhe", steps: [])
        #expect(unknown.links.isEmpty && unknown.direction == "rtl")
        #expect(unknown.text.contains(Language.hebrew.text(.unknownApp)))
    }
}

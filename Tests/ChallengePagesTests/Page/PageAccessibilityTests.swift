import DialtoneTexts
import Encodings
import TestBrowser
import Testing

@testable import ChallengePages

/// The page's accessibility in a real Chromium.
@Suite(.sharedBrowser) struct PageAccessibilityTests {
    let server: PageServer

    init() throws { server = try PageServer() }

    /// The languages with the longest words, and a right-to-left one.
    static let wide: [Language] = [.german, .russian, .indonesian, .hindi, .arabic]

    @Test("nothing is cut off or scrolls horizontally on the narrowest screen", arguments: wide)
    func narrow(language: Language) throws {
        let name = language.tag.filter { $0 != "-" }
        let page = try server.visit(name, answer: "limit", steps: [.state("failed")]) { $0.width = 320 }
        #expect(page.width == 320)
    }

    /// Returns the visible texts whose contrast is lower than WCAG 2.2 requires (1.4.3: 4.5 to 1).
    static let faint = """
        (() => {
          const parts = (color) => color.match(/[\\d.]+/g).map(Number);
          const luminance = ([r, g, b]) => [r, g, b].map((value) => value / 255)
            .map((value) => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
            .reduce((sum, value, index) => sum + value * [0.2126, 0.7152, 0.0722][index], 0);
          const behind = (element) => {
            const color = parts(getComputedStyle(element).backgroundColor);
            return color.length === 3 || color[3] === 1 ? color : behind(element.parentElement);
          };
          const ratio = (element) => {
            const both = [parts(getComputedStyle(element).color), behind(element)].map(luminance).sort((a, b) => b - a);
            return (both[0] + 0.05) / (both[1] + 0.05);
          };
          const texts = [...document.querySelectorAll('main *')].filter((element) => element.checkVisibility()
            && [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim()));
          const faint = texts.filter((element) => ratio(element) < 4.5);
          return texts.length < 3 ? ['no texts'] : faint.map((element) => element.outerHTML);
        })()
        """

    @Test("every text has sufficient contrast in light and dark mode", arguments: [false, true])
    func contrast(isDark: Bool) throws {
        let states: [(String, String, [Visit.Step])] = [
            ("en", "", [.click("#cancel a"), .state("cancelled")]), ("en", "", [.state("done")]),
            ("en", "reject", [.state("failed")]), ("refuseden", "", []), ("mismatch", "", []), ("turnstile", "", []),
        ]
        for (name, answer, steps) in states {
            let page = try server.visit(name, answer: answer, steps: steps + [.evaluate(Self.faint)]) {
                $0.isDark = isDark
            }
            #expect(page.values == [.array([])], "\(name) \(answer)")
        }
    }

    @Test("progress and result are announced to screen readers")
    func announced() throws {
        let expression = """
            [document.querySelector('[role=progressbar]').getAttribute('aria-valuenow'),
             document.querySelector('[role=progressbar]').getAttribute('aria-label'),
             document.querySelector('[role=status]').textContent]
            """
        let page = try server.visit("fr", steps: [.state("done"), .evaluate(expression)])
        let language = Language.french
        #expect(
            page.values == [
                .array([.string("100"), .string(language.text(.workingHeading)), .string(language.text(.doneHeading))])
            ]
        )
    }

    @Test("nothing is animated if the user prefers reduced motion", arguments: [false, true])
    func reducedMotion(isReduced: Bool) throws {
        let expression = "getComputedStyle(document.querySelector('.bar i')).transitionDuration === '0s'"
        let page = try server.visit("en", steps: [.evaluate(expression)]) { $0.prefersReducedMotion = isReduced }
        #expect(page.values == [.bool(isReduced)])
    }
}

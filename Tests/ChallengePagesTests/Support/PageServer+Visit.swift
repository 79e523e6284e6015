import TestBrowser
import Testing

extension PageServer {
    /// Visits a page in the suite's browser.
    ///
    /// - Parameters:
    ///   - name: the page's name.
    ///   - answer: the kind of response of `/verify`.
    ///   - host: the server's host name for the browser.
    ///   - steps: the steps on the page.
    ///   - change: further changes of the visit.
    /// - Returns: the page after the last step.
    /// - Throws: the error if the visit fails.
    func visit(
        _ name: String,
        answer: String = "",
        host: String = "127.0.0.1",
        steps: [Visit.Step],
        _ change: (inout Visit) -> Void = { _ in }
    ) throws -> VisitedPage {
        let browser = try #require(SharedBrowser.current)
        var visit = Visit(
            url: url(name, answer: answer, host: host),
            linkScheme: Sample.schemeName,
            steps: steps
        )
        change(&visit)
        return try browser.visit(visit)
    }
}

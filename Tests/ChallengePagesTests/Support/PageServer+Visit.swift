import TestBrowser
import Testing

extension PageServer {
    /// Visits a page in the browser of the suite.
    ///
    /// - Parameters:
    ///   - name: which page.
    ///   - answer: what `/verify` is to say.
    ///   - host: how the browser calls the server.
    ///   - steps: what is done there.
    ///   - change: what else is special about the visit.
    /// - Returns: the page as it is in the end.
    /// - Throws: what kept the browser from it.
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

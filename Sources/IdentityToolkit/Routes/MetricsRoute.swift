internal import FastCGI
internal import Metrics
internal import PhoneAuth

extension IdentityToolkitHandler {
    /// Returns the metrics of all processes of the machine, whichever of them answers.
    static func showMetrics(_ api: Self, _ request: borrowing Request, _: RequestRecord) -> Response {
        guard let folder = api.metricsFolder else {
            return .metricsMissing("Processes do not share metrics: set DIALTONE_METRICS_FOLDER, or see the log.")
        }
        var snapshot: MetricsSnapshot
        do {
            snapshot = try folder.snapshot()
        } catch {
            return .metricsMissing("\(error)")
        }
        api.authenticator.addState(to: &snapshot)
        let format = MetricsFormat(accept: request.parameter("HTTP_ACCEPT"))
        return Response(
            status: 200,
            headers: [("Content-Type", format.mediaType), ("Cache-Control", "no-store")],
            body: snapshot.text(format)
        )
    }
}

extension Response {
    /// Returns a response that makes a scrape fail, with the reason for people.
    fileprivate static func metricsMissing(_ reason: String) -> Response {
        Response(
            status: 503,
            headers: [("Content-Type", "text/plain; charset=utf-8"), ("Cache-Control", "no-store")],
            body: Array("\(reason)\n".utf8)
        )
    }
}

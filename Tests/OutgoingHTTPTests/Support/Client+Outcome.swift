import OutgoingHTTP

extension BoundedHTTPClient {
    /// Returns the outcome of a request; the default deadline is ample.
    func outcome(
        of request: HTTPRequest,
        within deadline: Duration = .seconds(60)
    ) async -> Result<HTTPAnswer, RequestFailure> {
        do throws(RequestFailure) {
            return .success(try await send(request, within: deadline))
        } catch {
            return .failure(error)
        }
    }

    /// Returns why a POST of two bytes had no response; nil if it had one.
    func failure(postingTo url: String, within deadline: Duration = .seconds(60)) async -> RequestFailure? {
        let request = HTTPRequest(postingTo: url, headers: ["Content-Type": "application/json"], body: Array("{}".utf8))
        guard case .failure(let failure) = await outcome(of: request, within: deadline) else { return nil }
        return failure
    }
}

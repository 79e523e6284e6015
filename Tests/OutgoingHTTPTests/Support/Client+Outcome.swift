import OutgoingHTTP

extension BoundedHTTPClient {
    /// Returns the outcome of a request. The default deadline is generous.
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

    /// Returns the failure of a POST of two bytes; nil if there was a response.
    func failure(postingTo url: String, within deadline: Duration = .seconds(60)) async -> RequestFailure? {
        let request = HTTPRequest(postingTo: url, headers: ["Content-Type": "application/json"], body: Array("{}".utf8))
        guard case .failure(let failure) = await outcome(of: request, within: deadline) else { return nil }
        return failure
    }
}

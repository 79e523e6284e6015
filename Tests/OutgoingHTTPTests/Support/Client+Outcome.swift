import OutgoingHTTP

extension BoundedHTTPClient {
    /// What comes of a request; by default there is time enough.
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

    /// Why a POST of two bytes has no answer; nil if it has one.
    func failure(postingTo url: String, within deadline: Duration = .seconds(60)) async -> RequestFailure? {
        let request = HTTPRequest(postingTo: url, headers: ["Content-Type": "application/json"], body: Array("{}".utf8))
        guard case .failure(let failure) = await outcome(of: request, within: deadline) else { return nil }
        return failure
    }
}

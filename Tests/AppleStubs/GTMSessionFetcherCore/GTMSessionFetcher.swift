// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation
public import FoundationNetworking

// The parts of the SDK's HTTP library that DialtoneRedirect.swift and the SDK use, with the same types. The test block
// receives every fetch: it can respond instead of the network, or respond with nothing to let the fetch continue.

public let kGTMSessionFetcherStatusDomain = "com.google.HTTPStatus"
public let kGTMSessionFetcherStatusDataKey = "data"

public typealias GTMSessionFetcherTestResponse = (HTTPURLResponse?, Data?, (any Error)?) -> Void
public typealias GTMSessionFetcherTestBlock = (GTMSessionFetcher, @escaping GTMSessionFetcherTestResponse) -> Void

open class GTMSessionFetcher: NSObject {
    nonisolated(unsafe) private static var testBlock: GTMSessionFetcherTestBlock?

    open var request: URLRequest?
    open var bodyData: Data?

    public init(request: URLRequest?) { self.request = request }

    open class func setGlobalTestBlock(_ block: GTMSessionFetcherTestBlock?) { testBlock = block }

    /// Fetches, and calls the handler on the main queue. As in the library, an error of the test block is a success if
    /// its code is from 200 to 399, whatever its domain.
    open func beginFetch(completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void) {
        guard let block = Self.testBlock else { return fetch(completionHandler) }
        block(self) { response, data, error in
            if response == nil, data == nil, error == nil { return self.fetch(completionHandler) }
            let status = error.map { ($0 as NSError).code } ?? 200
            let failure = (200...399).contains(status) ? nil : error
            DispatchQueue.main.async { completionHandler(data, failure) }
        }
    }

    private func fetch(_ completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void) {
        guard var request else { return }
        request.httpBody = bodyData
        URLSession.shared.dataTask(with: request) { data, _, error in
            DispatchQueue.main.async { completionHandler(data, error) }
        }
        .resume()
    }
}

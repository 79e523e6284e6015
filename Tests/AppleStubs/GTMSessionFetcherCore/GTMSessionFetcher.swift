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

    /// Fetches, and reports a status from 300 on as an error in the status domain, as the library does.
    open func beginFetch(completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void) {
        guard let block = Self.testBlock else { return fetch(completionHandler) }
        block(self) { response, data, error in
            if response == nil, data == nil, error == nil { return self.fetch(completionHandler) }
            completionHandler(data, error)
        }
    }

    private func fetch(_ completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void) {
        guard var request else { return }
        request.httpBody = bodyData
        URLSession.shared.dataTask(with: request) { data, _, error in completionHandler(data, error) }.resume()
    }
}

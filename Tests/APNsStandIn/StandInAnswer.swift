internal import Encodings

/// The stand-in process's reaction to a request: see `Connection.perform` in `stand_in.py`.
package struct StandInAnswer: Sendable {
    /// How a response continues after its body.
    package enum Ending: String, Sendable {
        case end, wait, close, drip, cut
    }

    private let status: Int
    private let headers: [(name: String, value: String)]
    private let body: String
    private let ending: Ending
    /// The delay before the process does anything.
    package var delay: Duration = .zero

    /// Cuts the connection without a response.
    package static let cut = StandInAnswer(status: 0, ending: .cut)

    /// Responds to a request.
    package init(
        status: Int,
        headers: [(name: String, value: String)] = [],
        body: String = "",
        ending: Ending = .end
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.ending = ending
    }

    func message(for request: JSONValue) -> JSONValue {
        .object([
            "request": request,
            "delay": .number("\(delay / .seconds(1))"),
            "status": .number("\(status)"),
            "headers": .array(headers.map { .array([.string($0.name), .string($0.value)]) }),
            "body": .string(body),
            "then": .string(ending.rawValue),
        ])
    }
}

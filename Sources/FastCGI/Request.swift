/// One FastCGI request: its parameters and its whole body.
///
/// Its parameters live in libfcgi's memory, so it can be neither copied nor kept.
public struct Request: ~Copyable {
    private let parameters: ParameterIndex

    /// The body, read before the handler runs.
    public let body: Body

    init(parameters: ParameterIndex, body: Body) {
        self.parameters = parameters
        self.body = body
    }

    /// Whether the parameters were few and small enough (``ServerConfiguration/maxParameters``,
    /// ``ServerConfiguration/maxParameterBytes``). When not, every parameter reads as absent.
    public var parametersWithinLimits: Bool { parameters.isWithinLimits }

    /// The value of a parameter such as `REQUEST_METHOD`; nil when it is absent or not UTF-8.
    ///
    /// Of several parameters with one name, the first counts.
    public borrowing func parameter(_ name: StaticString) -> String? {
        guard let bytes = parameters.value(of: name), let text = try? UTF8Span(validating: bytes.span) else {
            return nil
        }
        return String(copying: text)
    }
}

/// One FastCGI request: its parameters and its whole body.
///
/// The parameters are in libfcgi's memory, so a request can be neither copied nor kept.
public struct Request: ~Copyable {
    private let parameters: ParameterIndex

    /// The body, read before the handler runs.
    public let body: Body

    init(parameters: ParameterIndex, body: Body) {
        self.parameters = parameters
        self.body = body
    }

    /// Whether the parameters are within ``ServerConfiguration/maxParameters`` and
    /// ``ServerConfiguration/maxParameterBytes``. If not, every parameter reads as absent.
    public var parametersWithinLimits: Bool { parameters.isWithinLimits }

    /// Returns the value of a parameter such as `REQUEST_METHOD`; nil if it is absent or not UTF-8.
    ///
    /// If a name is repeated, the first parameter counts.
    public borrowing func parameter(_ name: StaticString) -> String? {
        guard let bytes = parameters.value(of: name), let text = try? UTF8Span(validating: bytes.span) else {
            return nil
        }
        return String(copying: text)
    }

    /// Returns the bytes of a parameter, even if they are not UTF-8; nil if it is absent.
    public borrowing func bytes(of name: StaticString) -> [UInt8]? {
        parameters.value(of: name).map { Array($0) }
    }
}

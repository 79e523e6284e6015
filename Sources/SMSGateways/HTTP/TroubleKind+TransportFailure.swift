internal import OutgoingHTTP

extension TroubleKind {
    /// Maps the failure of a request without a response.
    init(_ failure: TransportFailure) {
        self =
            switch failure {
            case .timedOut: .timedOut
            case .nameNotResolved: .nameNotResolved
            case .unreachable: .unreachable
            case .untrustedServer: .untrustedServer
            case .tlsRefused: .tlsRefused
            case .connectionLost: .connectionLost
            case .cancelled: .cancelled
            }
    }
}

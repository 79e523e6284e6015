internal import OutgoingHTTP

extension TroubleKind {
    /// What a request without an answer comes to.
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

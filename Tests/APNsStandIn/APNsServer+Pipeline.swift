internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTP2
internal import NIOSSL

extension APNsServer {
    static func tlsContext(_ authority: TestAuthority, _ isVerifyingClients: Bool) throws -> NIOSSLContext {
        let identity = try authority.serverIdentity()
        var tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMBytes(Array(identity.certificate.utf8)).map {
                .certificate($0)
            },
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(identity.privateKey.utf8), format: .pem))
        )
        tls.applicationProtocols = ["h2"]
        let trusted = try NIOSSLCertificate.fromPEMBytes(Array(authority.certificatePEM.utf8))
        tls.trustRoots = .certificates(trusted)
        tls.certificateVerification = isVerifyingClients ? .noHostnameVerification : .optionalVerification
        return try NIOSSLContext(configuration: tls)
    }

    static func configure(
        _ channel: any Channel,
        _ context: NIOSSLContext,
        _ ledger: Ledger,
        _ maximumStreams: Int
    ) throws {
        let number = ledger.connected(channel)
        try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
        var connection = NIOHTTP2Handler.ConnectionConfiguration()
        connection.initialSettings = [
            HTTP2Setting(parameter: .maxConcurrentStreams, value: maximumStreams),
            HTTP2Setting(parameter: .maxHeaderListSize, value: 16_384),
        ]
        _ = try channel.pipeline.syncOperations.configureHTTP2Pipeline(
            mode: .server,
            connectionConfiguration: connection,
            streamConfiguration: NIOHTTP2Handler.StreamConfiguration()
        ) { stream in
            ledger.openedStream(on: number)
            return stream.eventLoop.makeCompletedFuture {
                try stream.pipeline.syncOperations.addHandlers([
                    HTTP2FramePayloadToHTTP1ServerCodec(),
                    StreamHandler(ledger: ledger, connection: number),
                ])
            }
        }
    }
}

internal import NIOCore
internal import NIOHTTP1
internal import NIOSSL
internal import SwiftASN1
internal import X509

/// Reads one request of one HTTP/2 stream and does what the script says.
final class StreamHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let ledger: Ledger
    private let connection: Int
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []

    init(ledger: Ledger, connection: Int) {
        self.ledger = ledger
        self.connection = connection
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): self.head = head
        case .body(let part): body += part.readableBytesView
        case .end: perform(receive(context), context)
        }
    }

    private func receive(_ context: ChannelHandlerContext) -> ScriptedAnswer {
        guard let head else { return .cut }
        let own: Set<String> = ["host", "transfer-encoding"]
        let fields = head.headers.map { (name: $0.name.lowercased(), value: $0.value) }
        return ledger.record(
            ReceivedPush(
                method: head.method.rawValue,
                path: head.uri,
                headers: fields.filter { !own.contains($0.name) },
                body: body,
                connection: connection,
                time: .now,
                clientSubject: Self.clientSubject(context.channel.parent)
            )
        )
    }

    private func perform(_ answer: ScriptedAnswer, _ context: ChannelHandlerContext) {
        switch answer.action {
        case .stayOpen:
            break
        case .cutConnection:
            if let connection = context.channel.parent { APNsServer.cut(connection) }
        case .answer(let status, let fields, let text):
            let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
            let delay = TimeAmount.nanoseconds(
                answer.delay.components.seconds * 1_000_000_000 + answer.delay.components.attoseconds / 1_000_000_000
            )
            guard delay > .zero else { return Self.write(status, fields, text, context) }
            _ = context.eventLoop.scheduleTask(in: delay) { Self.write(status, fields, text, bound.value) }
        }
    }

    private static func write(
        _ status: Int,
        _ fields: [(name: String, value: String)],
        _ text: String,
        _ context: ChannelHandlerContext
    ) {
        guard context.channel.isActive else { return }
        let head = HTTPResponseHead(
            version: .http2,
            status: HTTPResponseStatus(statusCode: status),
            headers: HTTPHeaders(fields.map { ($0.name, $0.value) })
        )
        context.write(NIOAny(HTTPServerResponsePart.head(head)), promise: nil)
        if !text.isEmpty {
            context.write(NIOAny(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(string: text)))), promise: nil)
        }
        context.writeAndFlush(NIOAny(HTTPServerResponsePart.end(nil)), promise: nil)
    }

    private static func clientSubject(_ connection: (any Channel)?) -> String? {
        guard let handler = try? connection?.pipeline.syncOperations.handler(type: NIOSSLServerHandler.self),
            let bytes = try? handler.peerCertificate?.toDERBytes(),
            let certificate = try? Certificate(derEncoded: bytes)
        else { return nil }
        return certificate.subject.description
    }
}

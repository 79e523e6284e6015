internal import NIOCore
internal import NIOHTTP1

/// Reads one request after the other and does what the ledger says.
final class ReplyHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let ledger: Ledger
    private let connection: Int
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []
    private var reply = Reply.silence

    init(ledger: Ledger, connection: Int) {
        self.ledger = ledger
        self.connection = connection
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            self.head = head
            body = []
            reply = ledger.began()
            if case .cutAtHead = reply.action { cut(context) }
        case .body(let part):
            body += part.readableBytesView
        case .end:
            guard let head else { return }
            let request = ReceivedRequest(
                method: head.method.rawValue,
                path: head.uri,
                headers: head.headers.map { ($0.name, $0.value) },
                body: body,
                connection: connection
            )
            ledger.received(request)
            let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
            context.eventLoop.scheduleTask(in: .nanoseconds(Int64(reply.delay / .nanoseconds(1)))) {
                let (handler, context) = bound.value
                handler.perform(context)
            }
        }
    }

    private func perform(_ context: ChannelHandlerContext) {
        switch reply.action {
        case .silence, .cutAtHead: break
        case .cutAtEnd: cut(context)
        case .answer(let status, let headers, let text):
            start(context, status, length: text.utf8.count, headers)
            write(context, text)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
            ledger.answered()
        case .cutInAnswer:
            start(context, 201, length: 1000)
            write(context, #"{"sid":"SM"#)
            context.flush()
            cut(context)
        case .drip:
            start(context, 201, length: 1000)
            drip(context)
        }
    }

    private func drip(_ context: ChannelHandlerContext) {
        guard context.channel.isActive else { return }
        write(context, " ")
        context.flush()
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: .milliseconds(20)) {
            let (handler, context) = bound.value
            handler.drip(context)
        }
    }

    private func start(
        _ context: ChannelHandlerContext,
        _ status: Int,
        length: Int,
        _ headers: [(name: String, value: String)] = []
    ) {
        let fields = HTTPHeaders([("Content-Length", String(length))] + headers.map { ($0.name, $0.value) })
        let head = HTTPResponseHead(version: .http1_1, status: HTTPResponseStatus(statusCode: status), headers: fields)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
    }

    private func write(_ context: ChannelHandlerContext, _ text: String) {
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: text)))), promise: nil)
    }

    /// Closes the socket under TLS and HTTP, without a word in either.
    private func cut(_ context: ChannelHandlerContext) {
        ledger.answered()
        GatewayServer.cut(context.channel)
    }
}

"""Runs the HTTP servers that stand in for Apple's push service, SMS gateways and hooks in tests.

usage: stand_in.py, with a Unix socket to the test process as its standard input. It ends when the socket is closed.
Each line on the socket is a JSON object. To this program:

    call, do, server, …      a function of Calls, with its arguments; answered with `call` and its result or `error`
    request, …               what to do with a request: see Connection.perform

To the test process, which records a message before it answers, so that no client has a response to an unrecorded
request:

    server, connection                       a client has connected; the first connection of a server is number 1
    server, connection, request, atOnce      the head of an HTTP/1.1 request has arrived; how many are in progress
    server, connection, request, method, …   the whole request has arrived: see Connection.report_request
"""
import asyncio
import base64
import itertools
import json
import socket
import ssl
import tempfile
import time

import h11
from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import ConnectionTerminated, DataReceived, RequestReceived, StreamEnded, StreamReset
from h2.exceptions import ProtocolError
from h2.settings import SettingCodes, Settings
from hyperframe.frame import GoAwayFrame

servers = {}
# The requests that wait for instructions, by number.
requests = {}
request_numbers = itertools.count(1)


class Request:
    def __init__(self, connection, method, path, headers, stream=None):
        self.connection, self.method, self.path, self.headers, self.stream = connection, method, path, headers, stream
        self.body = bytearray()
        self.number = next(request_numbers)
        requests[self.number] = self


class Connection(asyncio.Protocol):
    """A client's connection: TLS, unless the server is plain, below HTTP.

    TLS runs on memory buffers, because asyncio's TLS neither sends the alert that refuses a client certificate nor
    closes a connection without close_notify.
    """

    number = subject = tls = None
    has_closed = False

    def __init__(self, server):
        self.server = server

    def connection_made(self, transport):
        self.transport = transport
        self.server.connections.add(self)
        if self.server.context is None:
            return self.begin()
        self.incoming, self.outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.tls = self.server.context.wrap_bio(self.incoming, self.outgoing, server_side=True)

    def connection_lost(self, error):
        self.server.connections.discard(self)
        self.server.busy.discard(self)
        self.forget(lambda request: True)

    def forget(self, condition):
        for number in [n for n, request in requests.items() if request.connection is self and condition(request)]:
            del requests[number]

    def begin(self):
        self.server.connection_count += 1
        self.number = self.server.connection_count
        certificate = self.tls and self.tls.getpeercert()
        if certificate:
            fields = dict(field for relative_name in certificate["subject"] for field in relative_name)
            self.subject = "CN=" + fields["commonName"]
        self.report()

    @property
    def is_open(self):
        return not self.has_closed and not self.transport.is_closing()

    def data_received(self, data):
        if self.has_closed:
            return None
        if self.tls is None:
            return self.receive(data)
        self.incoming.write(data)
        try:
            if self.number is None:
                self.tls.do_handshake()
                self.begin()
            while data := self.tls.read(65536):
                self.receive(data)
        except ssl.SSLWantReadError:
            return self.flush()
        except ssl.SSLError:
            pass
        self.close()

    def send(self, data):
        if not self.is_open or not data:
            return
        if self.tls is None:
            self.transport.write(data)
        else:
            self.tls.write(data)
            self.flush()

    def flush(self):
        if self.is_open:
            self.transport.write(self.outgoing.read())

    def close(self):
        """Sends close_notify and FIN, and discards further data: closing at once would reset the connection."""
        if self.tls:
            try:
                self.tls.unwrap()
            except ssl.SSLError:
                pass
            self.flush()
        if self.is_open:
            self.has_closed = True
            self.transport.write_eof()

    def report(self, **members):
        tests.send(server=self.server.number, connection=self.number, **members)

    def report_request(self, request):
        self.report(
            request=request.number, method=request.method, path=request.path, headers=request.headers,
            body=base64.b64encode(request.body).decode(), time=time.clock_gettime_ns(time.CLOCK_BOOTTIME),
            subject=self.subject,
        )

    def perform(self, request, status, headers, body, then):
        """Responds, unless `status` is 0, with all of `body`, and then

        end    ends the response;
        wait   does nothing more;
        close  ends the response and the connection, with close_notify;
        drip   adds a byte every 20 ms;
        cut    ends the TCP connection, without close_notify or GOAWAY.
        """
        if then in ("end", "close", "cut"):
            self.server.busy.discard(self)
        if status:
            self.answer(request, status, headers, body.encode(), then)
        if then == "close":
            self.close()
        elif then == "cut":
            self.transport.abort()


class HTTP1Connection(Connection):
    def begin(self):
        super().begin()
        self.http = h11.Connection(h11.SERVER)

    def receive(self, data):
        self.http.receive_data(data)
        try:
            while True:
                match self.http.next_event():
                    case h11.Request() as head:
                        headers = [(name.decode(), value.decode()) for name, value in head.headers.raw_items()]
                        self.request = Request(self, head.method.decode(), head.target.decode(), headers)
                        self.server.busy.add(self)
                        self.report(request=self.request.number, atOnce=len(self.server.busy))
                    case h11.Data() as part:
                        self.request.body += part.data
                    case h11.EndOfMessage():
                        self.report_request(self.request)
                    case _:
                        return
        except h11.RemoteProtocolError:
            self.transport.abort()

    def answer(self, request, status, headers, body, then):
        """Responds as instructed, even if the response is not valid HTTP."""
        fields = "".join(f"{name}: {value}\r\n" for name, value in headers)
        self.send(f"HTTP/1.1 {status} \r\n{fields}\r\n".encode() + body)
        if then == "drip":
            self.drip()
        elif then == "end":
            rest, _ = self.http.trailing_data
            self.http = h11.Connection(h11.SERVER)
            if rest:
                self.receive(rest)

    def drip(self):
        if self.is_open:
            self.send(b" ")
            asyncio.get_running_loop().call_later(0.02, self.drip)


class HTTP2Connection(Connection):
    # The last stream whose request is read; GOAWAY lowers it.
    last_stream = 2**31 - 1

    def begin(self):
        super().begin()
        self.streams = {}
        # The data that flow control has not released yet, by stream.
        self.unsent = {}
        self.http = H2Connection(H2Configuration(client_side=False, header_encoding="utf-8"))
        limit = {SettingCodes.MAX_CONCURRENT_STREAMS: self.server.maximum_streams}
        self.http.local_settings = Settings(client=False, initial_values=limit)
        self.http.initiate_connection()
        # The limit applies once the client has acknowledged it.
        self.http.local_settings = Settings(
            client=False, initial_values={SettingCodes.MAX_CONCURRENT_STREAMS: 2**31 - 1})
        self.http.local_settings.update(limit)
        self.send_frames()

    def receive(self, data):
        try:
            for event in self.http.receive_data(data):
                self.handle(event)
        except ProtocolError:
            self.send(self.http.data_to_send())
            return self.close()
        self.send_frames()

    def handle(self, event):
        match event:
            case RequestReceived() if event.stream_id <= self.last_stream:
                fields = dict(event.headers)
                headers = [field for field in event.headers if not field[0].startswith(":")]
                request = Request(self, fields[":method"], fields[":path"], headers, event.stream_id)
                self.streams[event.stream_id] = request
            case DataReceived():
                if event.stream_id in self.streams:
                    self.streams[event.stream_id].body += event.data
                self.http.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
            case StreamEnded() if event.stream_id in self.streams:
                self.report_request(self.streams.pop(event.stream_id))
            case StreamReset():
                self.streams.pop(event.stream_id, None)
                self.unsent.pop(event.stream_id, None)
                self.forget(lambda request: request.stream == event.stream_id)
            case ConnectionTerminated():
                self.close()

    def answer(self, request, status, headers, body, then):
        self.http.send_headers(request.stream, [(":status", str(status)), *headers])
        self.unsent[request.stream] = body
        self.send_frames()

    def send_frames(self):
        for stream, rest in list(self.unsent.items()):
            window = self.http.local_flow_control_window(stream)
            while rest and window > 0:
                size = min(window, self.http.max_outbound_frame_size)
                self.http.send_data(stream, rest[:size])
                rest = rest[size:]
                window = self.http.local_flow_control_window(stream)
            self.unsent[stream] = rest
            if not rest:
                self.http.end_stream(stream)
                del self.unsent[stream]
        self.send(self.http.data_to_send())

    def go_away(self, last_stream):
        """Sends GOAWAY (RFC 9113 § 6.8), and ignores the streams above `last_stream`.

        h2 cannot respond after sending its own GOAWAY.
        """
        self.last_stream = last_stream
        self.send(GoAwayFrame(0, last_stream_id=last_stream).serialize())
        self.streams = {stream: request for stream, request in self.streams.items() if stream <= last_stream}
        self.forget(lambda request: request.stream > last_stream)


class Server:
    def __init__(self, number, context, maximum_streams):
        self.number, self.context, self.maximum_streams = number, context, maximum_streams
        self.connections, self.connection_count = set(), 0
        # The connections with an HTTP/1.1 request that has not been answered.
        self.busy = set()


class Calls:
    @staticmethod
    async def listen(server, protocol, host, port, maximumStreams, identity, authority, clients, tickets):
        """Starts a server; plain HTTP if `identity`, a certificate and its key in PEM, is empty.

        `clients` is how client certificates of `authority` are verified: CERT_NONE, CERT_OPTIONAL or CERT_REQUIRED.
        `tickets` is how many session tickets each client gets.
        """
        context = None
        if identity:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.set_alpn_protocols([protocol])
            context.load_verify_locations(cadata=authority)
            context.verify_mode = ssl.VerifyMode[clients]
            context.num_tickets = tickets
            with tempfile.NamedTemporaryFile("w") as file:
                file.write(identity)
                file.flush()
                context.load_cert_chain(file.name)
        new = Server(server, context, maximumStreams)
        kind = {"h2": HTTP2Connection, "http/1.1": HTTP1Connection}[protocol]
        new.listener = await asyncio.get_running_loop().create_server(lambda: kind(new), host, port, backlog=256)
        servers[server] = new
        return {"port": new.listener.sockets[0].getsockname()[1]}

    @staticmethod
    async def cut(server):
        """Ends all connections, and returns when they have ended."""
        for connection in servers[server].connections:
            connection.transport.abort()
        await asyncio.sleep(0)

    @staticmethod
    async def go_away(server, isAbandoning):
        for connection in (each for each in servers[server].connections if each.number):
            connection.go_away(0 if isAbandoning else connection.http.highest_inbound_stream_id)

    @staticmethod
    async def stop(server):
        servers[server].listener.close()
        await Calls.cut(server)
        del servers[server]


class Tests(asyncio.Protocol):
    """The connection to the test process."""

    rest = b""
    # Keeps the tasks alive: the event loop has only weak references to them.
    running = set()

    def connection_made(self, transport):
        self.transport = transport
        self.ended = asyncio.get_running_loop().create_future()

    def connection_lost(self, error):
        self.ended.set_result(None)

    def send(self, **message):
        self.transport.write(json.dumps(message).encode() + b"\n")

    def data_received(self, data):
        *lines, self.rest = (self.rest + data).split(b"\n")
        for line in lines:
            message = json.loads(line)
            if "call" in message:
                task = asyncio.create_task(self.call(**message))
                self.running.add(task)
                task.add_done_callback(self.running.discard)
            elif delay := message.pop("delay"):
                asyncio.get_running_loop().call_later(delay, self.answer, message)
            else:
                self.answer(message)

    async def call(self, call, do, **arguments):
        try:
            result = await getattr(Calls, do)(**arguments)
        except Exception as error:
            result = {"error": repr(error)}
        self.send(call=call, **(result or {}))

    def answer(self, message):
        # The client may have reset the stream or closed the connection.
        request = requests.pop(message.pop("request"), None)
        if request and request.connection.is_open:
            request.connection.perform(request, **message)


async def main():
    await asyncio.get_running_loop().create_connection(lambda: tests, sock=socket.socket(fileno=0))
    await tests.ended


tests = Tests()
asyncio.run(main())

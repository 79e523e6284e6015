"""An HTTP/2 client with TLS that counts every byte on TCP."""

import gzip
import socket
import ssl
from dataclasses import dataclass

import h2.config
import h2.connection
import h2.events
import h2.settings

# Chromium's settings.
SETTINGS = {
    h2.settings.SettingCodes.HEADER_TABLE_SIZE: 65_536,
    h2.settings.SettingCodes.ENABLE_PUSH: 0,
    h2.settings.SettingCodes.INITIAL_WINDOW_SIZE: 6_291_456,
    h2.settings.SettingCodes.MAX_HEADER_LIST_SIZE: 262_144,
}
CONNECTION_WINDOW = 15_663_105

TLS = ssl.create_default_context()
TLS.check_hostname, TLS.verify_mode = False, ssl.CERT_NONE  # nginx's certificate is self-signed
TLS.minimum_version = ssl.TLSVersion.TLSv1_3
TLS.set_alpn_protocols(["h2"])


@dataclass
class Answer:
    status: int
    headers: dict
    body: bytes


class Connection:
    """A connection to a port of this machine. `session` is the TLS session of an earlier connection, to resume it."""

    def __init__(self, port, host, session=None):
        self.sent = self.received = 0
        self._incoming, self._outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = TLS.wrap_bio(self._incoming, self._outgoing, server_hostname=host, session=session)
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=30)
        self._do(self._tls.do_handshake)
        if self._tls.selected_alpn_protocol() != "h2":
            raise SystemExit("nginx does not offer HTTP/2")
        self._http = h2.connection.H2Connection(h2.config.H2Configuration(header_encoding="utf-8"))
        self._http.initiate_connection()
        self._http.update_settings(SETTINGS)
        self._http.increment_flow_control_window(CONNECTION_WINDOW)
        self._flush()
        acknowledged = 0
        while acknowledged < 2:  # the initial settings and ours
            acknowledged += sum(isinstance(each, h2.events.SettingsAcknowledged) for each in self._events())

    @property
    def session(self):
        """The TLS session, which can be resumed once a response has arrived."""
        return self._tls.session

    def request(self, method, host, target, headers, body):
        stream = self._http.get_next_available_stream_id()
        head = [(":method", method), (":authority", host), (":scheme", "https"), (":path", target), *headers]
        self._http.send_headers(stream, head, end_stream=body is None)
        if body is not None:
            self._http.send_data(stream, body, end_stream=True)
        self._flush()
        answer = Answer(0, {}, b"")
        while True:
            for event in self._events():
                if isinstance(event, h2.events.ResponseReceived):
                    answer.headers = dict(event.headers)
                    answer.status = int(answer.headers.pop(":status"))
                elif isinstance(event, h2.events.DataReceived):
                    answer.body += event.data
                elif isinstance(event, h2.events.StreamEnded):
                    if answer.headers.get("content-encoding") == "gzip":
                        answer.body = gzip.decompress(answer.body)
                    return answer
                elif isinstance(event, (h2.events.StreamReset, h2.events.ConnectionTerminated)):
                    raise SystemExit(f"{target}: nginx ended the request: {event}")

    def close(self):
        self._http.close_connection()
        self._flush()
        self._socket.close()

    def _events(self):
        events = self._http.receive_data(self._do(lambda: self._tls.read(65_536)))
        self._flush()
        return events

    def _flush(self):
        data = self._http.data_to_send()
        if data:
            self._do(lambda: self._tls.write(data))

    def _do(self, operation):
        """Runs an operation that may need bytes of the other side, and sends the bytes that it produces."""
        while True:
            try:
                return operation()
            except ssl.SSLWantReadError:
                self._send_pending()
                self._receive()
            finally:
                self._send_pending()

    def _send_pending(self):
        data = self._outgoing.read()
        self.sent += len(data)
        if data:
            self._socket.sendall(data)

    def _receive(self):
        data = self._socket.recv(65_536)
        if not data:
            raise SystemExit("nginx closed the connection")
        self.received += len(data)
        self._incoming.write(data)

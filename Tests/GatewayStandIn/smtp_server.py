"""An SMTP server, by aiosmtpd, with the user `dialtone` and the password `secret`.

usage: smtp_server.py PORT FOLDER. The folder has `tls`: "starttls", "implicit" or "none", and the server's certificate
with its key in `identity.pem`. Each line of `replies` is a phase (mail, rcpt or data) and the reply to the next command
of this phase: a reply line, "hang" or "drop". The folder gets a line of JSON in `mails` for each accepted mail, which
Python's own parser has read, and a line in `connections` for each connection.
"""
import asyncio
import email
import email.header
import email.policy
import email.utils
import json
import pathlib
import ssl
import sys

from aiosmtpd.smtp import SMTP, AuthResult

port, folder = int(sys.argv[1]), pathlib.Path(sys.argv[2])
tls = (folder / "tls").read_text().strip()
context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
if tls != "none":
    context.load_cert_chain(folder / "identity.pem")


def write(name, line):
    with open(folder / name, "a") as file:
        file.write(line + "\n")


async def reply(phase, server):
    """Returns the queued reply to a command of this phase, or None."""
    file = folder / "replies"
    lines = file.read_text().splitlines() if file.exists() else []
    if not lines or not lines[0].startswith(phase + " "):
        return None
    file.write_text("".join(line + "\n" for line in lines[1:]))
    text = lines[0].removeprefix(phase + " ")
    if text == "hang":
        await asyncio.sleep(3600)
    if text == "drop":
        server.transport.abort()
    return text


def described(mail):
    """Returns what a mail program reads."""
    defects = [str(defect) for part in mail.walk() for defect in part.defects]
    defects += [f"{name}: {defect}" for name, value in mail.items() for defect in value.defects]
    # The policies of Python keep the spaces between the encoded words of a name, which RFC 2047 § 6.2 ignores.
    name, sender = email.utils.parseaddr(dict(mail.raw_items())["From"])
    name = str(email.header.make_header(email.header.decode_header(name)))
    return {
        "headers": [name for name in mail.keys()], "defects": defects, "subject": mail["subject"],
        "from": [[name, sender]],
        "to": [[address.display_name, address.addr_spec] for address in mail["to"].addresses],
        "date": mail["date"].datetime.isoformat(), "messageID": mail["message-id"],
        "automatic": mail["auto-submitted"],
        "types": [part.get_content_type() for part in mail.walk()],
        "text": mail.get_body(["plain"]).get_content().replace("\r\n", "\n"),
        "html": mail.get_body(["html"]).get_content().replace("\r\n", "\n"),
    }


class Handler:
    async def handle_MAIL(self, server, session, envelope, address, options):
        envelope.mail_from, envelope.mail_options = address, options
        return await reply("mail", server) or "250 OK"

    async def handle_RCPT(self, server, session, envelope, address, options):
        text = await reply("rcpt", server)
        if text is None:
            envelope.rcpt_tos.append(address)
        return text or "250 OK"

    async def handle_DATA(self, server, session, envelope):
        text = await reply("data", server)
        if text is None:
            lines = envelope.original_content.split(b"\r\n")
            mail = email.message_from_string(envelope.original_content.decode(), policy=email.policy.SMTPUTF8)
            write("mails", json.dumps({
                "sender": envelope.mail_from, "recipients": envelope.rcpt_tos, "options": envelope.mail_options,
                "isSecure": session.ssl is not None or tls == "implicit", "ehlo": session.host_name,
                "user": (session.auth_data or b"").decode(), "longestLine": max(len(line) for line in lines),
                "isASCII": envelope.original_content.isascii(), **described(mail),
            }))
        return text or "250 OK"


def authenticate(server, session, envelope, mechanism, data):
    is_right = (data.login, data.password) == (b"dialtone", b"secret")
    return AuthResult(success=is_right, handled=False, auth_data=data.login)


class Server(SMTP):
    def connection_made(self, transport):
        # The TLS handshake of STARTTLS calls this again.
        if self.session is None:
            write("connections", "opened")
        super().connection_made(transport)


def connection():
    return Server(
        Handler(), enable_SMTPUTF8=True, tls_context=context if tls == "starttls" else None,
        require_starttls=tls == "starttls", authenticator=authenticate, auth_required=tls != "none",
        auth_require_tls=tls == "starttls", ident="test",
    )


async def run():
    server = await asyncio.get_running_loop().create_server(
        connection, "127.0.0.1", port, ssl=context if tls == "implicit" else None
    )
    await server.serve_forever()


asyncio.run(run())

"""One nginx with a server for each program, from the shipped files, so that all programs have the same front end.

The shipped files name Dialtone's upstreams (`dialtone`, `dialtone_…`). Each other program gets a copy with its own
upstreams, and the constant gets a copy that responds itself.
"""

import json
import re
import shutil
from pathlib import Path

SHIPPED = Path(__file__).resolve().parent.parent.parent / "nginx"
PASS = re.compile(r"fastcgi_pass dialtone(\w*);")
READ_TIMEOUT = "fastcgi_read_timeout 8s;"
JSON = "default_type 'application/json; charset=UTF-8';"  # for the constant; programs set the type themselves
# The server for web apps has TLS as in the shipped site.
TLS = (
    "ssl_certificate web.pem; ssl_certificate_key key.pem; ssl_protocols TLSv1.2 TLSv1.3; "
    "ssl_session_cache shared:web:1m; ssl_session_tickets off;"
)
# What decides whether a page is served: a worker, or nothing.
GUARDS = {"guarded": "include dialtone-auth.conf;", "open": "return 204;"}
ANSWER = json.dumps({"sessionInfo": "A" * 79, "resendAfter": "60"}, separators=(",", ":"))


def write_nginx_configuration(folder, ports, sockets, timeouts={}):
    """Writes `nginx.conf` and the files that it includes. A program without a socket in `sockets` is the constant.

    `timeouts` are read timeouts in seconds, of programs that need longer than shipped.
    """
    for name in ("http", "auth"):
        shutil.copy(SHIPPED / f"dialtone-{name}.conf", folder)
    suffixes = set()
    for name in ports.keys() - GUARDS.keys():
        for part in ("fastcgi", "locations"):
            text = (SHIPPED / f"dialtone-{part}.conf").read_text()
            # Each program's retries go to its own upstream.
            text = text.replace("fastcgi_pass $dialtone_retries;", "fastcgi_pass dialtone_new_connections;")
            suffixes.update(PASS.findall(text))
            answer = rf"fastcgi_pass {name}\1;" if name in sockets else "include constant-answer.conf;"
            text = PASS.sub(answer, text).replace("include dialtone-fastcgi.conf;", f"include {name}-fastcgi.conf;")
            if part == "locations" and name in timeouts:
                if READ_TIMEOUT not in text:
                    raise SystemExit(f"{SHIPPED}: no '{READ_TIMEOUT}'")
                text = text.replace(READ_TIMEOUT, f"fastcgi_read_timeout {timeouts[name]}s;")
            (folder / f"{name}-{part}.conf").write_text(text)
    if suffixes != {"", "_new_connections"}:
        raise SystemExit(f"{SHIPPED}: other upstreams than expected: {suffixes}")
    (folder / "constant-answer.conf").write_text(f"return 200 '{ANSWER}';\n")
    (folder / "nginx.conf").write_text(
        "daemon off;\nworker_processes 1;\npid nginx.pid;\nerror_log stderr crit;\n"
        + ("user root;\n" if Path("/proc/self").stat().st_uid == 0 else "")
        + "events { worker_connections 1024; }\nhttp {\n"
        + "".join(f"{name}_temp_path {name};\n" for name in ("client_body", "fastcgi", "proxy", "uwsgi", "scgi"))
        + "include dialtone-http.conf;\n"
        + "".join(upstream(name + suffix, sockets[name]) for name in sockets for suffix in sorted(suffixes))
        + "".join(
            f"server {{ {listener(name, port)} access_log access.log dialtone; {JSON} "
            f"include {name}-locations.conf; }}\n"
            for name, port in ports.items()
            if name not in GUARDS
        )
        + "".join(guarded_site(ports[name], guard) for name, guard in GUARDS.items() if name in ports)
        + "}\n"
    )


def listener(name, port):
    return f"listen 127.0.0.1:{port} ssl http2; {TLS}" if name == "web" else f"listen 127.0.0.1:{port};"


def guarded_site(port, guard):
    """A page that nginx itself serves, if the guard responds with 2xx."""
    return (
        f"server {{ listen 127.0.0.1:{port}; access_log off; location = /guard {{ internal; {guard} }} "
        "location / { auth_request /guard; empty_gif; } }\n"
    )


def upstream(name, socket):
    """An upstream as shipped: with keep-alive connections, except for retries."""
    line = f"server unix:{socket} max_fails=0;"
    return f"upstream {name} {{ {line} {line} {'' if name.endswith('_connections') else 'keepalive 32;'} }}\n"

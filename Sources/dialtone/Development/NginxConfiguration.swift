import Glibc

/// The development server's nginx configuration: a server block that includes the production files.
struct NginxConfiguration {
    /// The addresses on which nginx listens, those of IPv6 in brackets.
    var addresses = ["127.0.0.1"]
    let port: UInt16
    let workerSocket: String
    /// A file with the developer's own server blocks; nil for none.
    var site: String?

    /// The files of the folder `nginx` that the configuration includes.
    static let includedFiles = [
        "dialtone-http.conf", "dialtone-fastcgi.conf", "dialtone-admin.conf", "dialtone-locations.conf",
        "dialtone-auth.conf", "dialtone-auth-headers.conf",
    ]

    /// The text of `nginx.conf`.
    var text: String {
        Self.text(
            http: """
                    upstream dialtone {
                        server unix:\(workerSocket) max_fails=0;
                        server unix:\(workerSocket) max_fails=0;
                        keepalive 32;
                    }
                    upstream dialtone_new_connections {
                        server unix:\(workerSocket) max_fails=0;
                    }
                    server {
                        \(Set(addresses).sorted().map { "listen \($0):\(port);" }.joined(separator: " "))
                        access_log access.log dialtone;
                        include dialtone-admin.conf;
                        include dialtone-locations.conf;
                    }
                    \(site.map { "include \($0);" } ?? "")
                """
        )
    }

    /// Returns an `nginx.conf` for one process in the foreground, all of whose paths are relative to nginx's prefix.
    /// Its http block includes `dialtone-http.conf`.
    static func text(http: String) -> String {
        """
        daemon off;
        master_process off;
        pid nginx.pid;
        error_log stderr crit;
        \(geteuid() == 0 ? "user root;" : "")
        events { worker_connections 1024; }
        http {
            client_body_temp_path body;
            fastcgi_temp_path fastcgi;
            proxy_temp_path proxy;
            uwsgi_temp_path uwsgi;
            scgi_temp_path scgi;
            include dialtone-http.conf;
        \(http)
        }

        """
    }
}

import FastCGI

extension SettingsTable {
    static var keys: [Setting<DeploymentValues>] {
        [
            Setting("KEY_FILE", \.keyFile, .text) {
                """
                The key file of the deployment, created once with: dialtone keys generate --output
                /etc/dialtone/keys.json. All machines need the same file. Without it, no account can be read. Running
                workers reload its signing keys and secrets when they change: dialtone keys rotate, list and retire.
                """
            }
        ]
    }

    static var numbering: [Setting<DeploymentValues>] {
        [
            Setting(
                "NUMBERING_FILE",
                \.numberingFile,
                .text,
                unset: "the data of this release",
                example: "/var/lib/dialtone/numbering.tsv"
            ) {
                """
                A file of numbering data: the regions, number ranges and formats of the world. To create and replace it:
                dialtone numbering update. Workers and dispatchers reload it when it changes. Numbers outside all ranges
                count as unknown, so the data should be less than a year old: dialtone numbering prints their date.
                """
            }
        ]
    }

    static var mode: [Setting<ModeValues>] {
        [
            Setting("MODE", \.mode, .choice()) {
                """
                In development mode, any API key is accepted, apps are not verified, and anyone can read the
                verification codes. Never use it for real users.
                """
            }
        ]
    }

    static var worker: [Setting<DeploymentValues>] {
        [
            Setting("DEVELOPMENT_TOKENS", \.issuesUnsignedTokens, .choice(["signed": false, "unsigned": true])) {
                """
                Whether tokens are signed in development mode. firebase-admin for Node accepts only unsigned tokens from
                an emulator. Anyone can forge unsigned tokens. A worker in production mode does not start with unsigned.
                """
            },
            Setting(
                "LISTEN",
                \.listen,
                SettingKind(
                    form: "systemd, unix:/path, tcp:host:port or fd:number",
                    parse: { try? ListenAddress(parsing: $0) },
                    show: \.description
                )
            ) {
                """
                Where a worker listens: systemd (the socket of the systemd unit), unix:/path, tcp:host:port or
                fd:number.
                """
            },
            Setting("ADMIN_ROUTES", \.servesAdminRoutes, .enabled) {
                """
                Whether workers serve the admin interface. It requires a token (dialtone admin-tokens) or a service
                account, and is reachable only through nginx's admin listener (dialtone-admin.conf), which is on
                loopback.
                """
            },
            Setting(
                "ADMIN_TOKEN_URLS",
                \.adminTokenURLs,
                .list,
                example: "http://127.0.0.1:9180/token"
            ) {
                """
                A comma-separated list of the URLs at which service accounts reach the token endpoint (token_uri): the
                audiences of their assertions. https://oauth2.googleapis.com/token, which Google's libraries use, is
                always accepted.
                """
            },
            Setting("THREADS", \.threads, .number(1...512)) {
                """
                The number of requests that a worker handles at the same time. Each thread has its own connection to
                Redis.
                """
            },
            Setting(
                "ACTIVE_THREADS",
                \.activeThreads,
                .number(1...512),
                unset:
                    "one per core, at least two, if Redis is on this machine and no replica must confirm; else all",
                example: "2"
            ) {
                """
                The number of threads that work at the same time. The others take over while a thread waits for a
                blocking hook, a challenge provider or a password hash. With many workers, fewer threads are better:
                about two per core for all workers together.
                """
            },
            Setting("MAX_BODY_BYTES", \.maxBodyBytes, .number(1024...10_485_760)) {
                "The maximum size of a request body, in bytes. nginx has its own limit (client_max_body_size)."
            },
            Setting("REQUEST_DEADLINE_SECONDS", \.requestDeadline, .seconds(1...60)) {
                """
                How long a request may wait for Redis. After that, the response is 503. Batches of accounts have 7
                seconds more, and so do requests that call blocking hooks. nginx must wait 3 seconds longer than a
                worker: if you increase the time, increase each fastcgi_read_timeout of 8 and 15 seconds in nginx's
                dialtone-*.conf by the same number.
                """
            },
            Setting(
                "BLOCKING_HOOK_TRUST_FILE",
                \.blockingHookTrustFile,
                .text,
                unset: "the system's certificates",
                example: "/etc/dialtone/hook-ca.pem"
            ) {
                "A PEM file with the CA certificates to trust for blocking hooks."
            },
            Setting("DRAIN_SECONDS", \.drain, .seconds(0...300)) {
                """
                How long a stopping worker continues to serve while /readyz returns 503. More than about 15 seconds
                requires a longer TimeoutStopSec= in the systemd unit.
                """
            },
            Setting("LOG_LEVEL", \.logLevel, .choice()) {
                "The lowest level that is logged. info logs one line per request."
            },
        ]
    }
}

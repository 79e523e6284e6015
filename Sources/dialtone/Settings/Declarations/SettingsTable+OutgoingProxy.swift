extension SettingsTable {
    static var outgoingProxy: [Setting<DeploymentValues>] {
        [
            Setting(
                "OUTGOING_PROXY_URL",
                \.outgoingProxy.url,
                .text,
                unset: "no proxy, even if https_proxy is set",
                example: "http://proxy.example.com:3128"
            ) {
                """
                The HTTP proxy for all https requests to other machines: SMS gateways, Apple's push service, Google's
                servers, blocking hooks and challenge providers. The form is http://host:port. The proxy sees the names
                of the servers. Their certificates are verified as they are without a proxy.
                """
            },
            Setting(
                "OUTGOING_PROXY_USER",
                \.outgoingProxy.user,
                .text,
                unset: "no authentication to the proxy",
                isSecret: true,  // An operator may write `user:password`, the form of curl's option.
                example: "dialtone"
            ) {
                "The user name that the proxy asks for (basic authentication, RFC 7617)."
            },
            Setting(
                "OUTGOING_PROXY_PASSWORD",
                \.outgoingProxy.password,
                .text,
                unset: "no authentication to the proxy",
                isSecret: true,
                example: "secret"
            ) {
                "The password of this user."
            },
        ]
    }
}

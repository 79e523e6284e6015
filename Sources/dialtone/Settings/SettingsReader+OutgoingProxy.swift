import OutgoingHTTP

extension SettingsReader<DeploymentValues> {
    /// Returns the proxy for all `https` requests to other machines; nil if there is none. Environment variables that
    /// other programs read, such as `https_proxy`, have no effect.
    func httpProxy() throws(FaultySetting) -> HTTPProxy? {
        let proxy = self.outgoingProxy
        guard let url = proxy.url else {
            refuse(
                [\.outgoingProxy.user, \.outgoingProxy.password],
                "without effect, because \(name(of: \.outgoingProxy.url)) is not set; remove it"
            )
            return nil
        }
        var credentials: HTTPProxy.Credentials?
        if proxy.user != nil || proxy.password != nil {
            let user = try required(\.outgoingProxy.user)
            credentials = HTTPProxy.Credentials(user: user, password: try required(\.outgoingProxy.password))
            guard credentials != nil else {
                throw fault(\.outgoingProxy.user, .isNot("a user name without a colon, beside a password in one line"))
            }
        }
        guard let proxy = HTTPProxy(url, credentials: credentials) else {
            throw fault(\.outgoingProxy.url, .isNot("http://host:port, without a user name and a password"))
        }
        return proxy
    }
}

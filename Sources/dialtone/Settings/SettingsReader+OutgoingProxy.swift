import OutgoingHTTP

extension SettingsReader<DeploymentValues> {
    /// Returns the proxy for all `https` requests to other machines; nil if there is none. Environment variables that
    /// other programs read, such as `https_proxy`, have no effect.
    func httpProxy() throws(FaultySetting) -> HTTPProxy? {
        let proxy = self.outgoingProxy
        guard let url = proxy.url else {
            refuse(
                [\.outgoingProxy.user, \.outgoingProxy.password],
                "has no effect because \(name(of: \.outgoingProxy.url)) is not set; remove it"
            )
            return nil
        }
        var credentials: HTTPProxy.Credentials?
        if proxy.user != nil || proxy.password != nil {
            let user = try required(\.outgoingProxy.user)
            credentials = HTTPProxy.Credentials(user: user, password: try required(\.outgoingProxy.password))
            guard credentials != nil else {
                let reason = "it contains a colon, or it or the password contains a control character"
                throw fault(\.outgoingProxy.user, .because(reason))
            }
        }
        guard let proxy = HTTPProxy(url, credentials: credentials) else {
            throw fault(\.outgoingProxy.url, .isNot("http://host:port, without user name and password"))
        }
        return proxy
    }
}

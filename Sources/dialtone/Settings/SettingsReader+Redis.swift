import Cryptography
import OutgoingHTTP
import Redis

extension SettingsReader<DeploymentValues> {
    /// Returns the Redis servers, the credentials for them, and the replicas that must confirm changes.
    func connection() throws(FaultySetting) -> ConnectionConfiguration {
        let redis = self.redis
        // Faults of the other settings are found even without an address.
        let address = collect(try required(\.redis.address))
        let user = collect(try agreed(address?.user, \.redis.user, "user")) ?? nil
        let password = collect(try agreed(address?.password, \.redis.password, "password")) ?? nil
        if address?.user != nil, password == nil { collect(try refuseUserWithoutPassword()) }
        if let address { checkSentinelLogIn(address) }
        return ConnectionConfiguration(
            servers: address?.servers ?? ServerList(.unix(path: "")),
            tls: collect(try tlsContext(address)) ?? nil,
            sentinelUser: redis.sentinelUser,
            sentinelPassword: redis.sentinelPassword,
            user: user,
            password: password,
            database: collect(try database(address)) ?? 0,
            connectTimeout: redis.connectTimeout,
            commandTimeout: redis.commandTimeout,
            replicaConfirmation: collect(try replicaConfirmation()) ?? nil
        )
    }

    /// Returns the value from the address or from its own setting. Both may specify it if they agree.
    private func agreed(
        _ valueOfAddress: String?,
        _ property: KeyPath<DeploymentValues, String?>,
        _ name: String
    ) throws(FaultySetting) -> String? {
        let value = self[dynamicMember: property]
        guard let valueOfAddress, let value, value != valueOfAddress else { return value ?? valueOfAddress }
        throw contradiction(property, name)
    }

    private func database(_ address: RedisAddress?) throws(FaultySetting) -> Int {
        guard address?.servers.isCluster != true || self.redis.database == 0 else {
            throw fault(\.redis.database, .because("a Redis Cluster has only database 0; remove it"))
        }
        guard let numberOfAddress = address?.database, isSet(\.redis.database),
            numberOfAddress != self.redis.database
        else {
            return address?.database ?? self.redis.database
        }
        throw contradiction(\.redis.database, "database")
    }

    private func contradiction(_ property: PartialKeyPath<DeploymentValues>, _ name: String) -> FaultySetting {
        fault(property, .because("\(self.name(of: \.redis.address)) contains a different \(name); remove one of them"))
    }

    private func checkSentinelLogIn(_ address: RedisAddress) {
        guard address.servers.masterName == nil else {
            guard self.redis.sentinelUser != nil, self.redis.sentinelPassword == nil else { return }
            collect(try refuseSentinelUserWithoutPassword())
            return
        }
        let reason = "has no effect because \(name(of: \.redis.address)) names no Sentinels; remove it"
        refuse([\.redis.sentinelUser, \.redis.sentinelPassword], reason)
    }

    private func refuseSentinelUserWithoutPassword() throws(FaultySetting) {
        throw missing(\.redis.sentinelPassword, "required with \(name(of: \.redis.sentinelUser))")
    }

    private func refuseUserWithoutPassword() throws(FaultySetting) {
        try check(\.redis.password)
        let name = name(of: \.redis.password)
        throw fault(\.redis.address, .because("a user without a password: use user:password@host, or set \(name)"))
    }

    /// Returns the trust and the client certificate; nil if the address does not use TLS.
    private func tlsContext(_ address: RedisAddress?) throws(FaultySetting) -> TLSContext? {
        guard let address else { return nil }
        guard address.usesTLS else {
            refuse(
                [
                    \.redis.tls.authoritiesFile, \.redis.tls.certificateFile, \.redis.tls.keyFile,
                    \.redis.tls.serverName,
                ],
                "has no effect because \(name(of: \.redis.address)) does not begin with rediss; remove it"
            )
            return nil
        }
        try check(\.redis.tls.serverName)
        let files = self.redis.tls
        let authorities = collect(try text(files.authoritiesFile, \.redis.tls.authoritiesFile)) ?? nil
        let identity = collect(try identity(files)) ?? nil
        do {
            return try TLSContext(
                TLSConfiguration(authorities: authorities, identity: identity, serverName: files.serverName)
            )
        } catch .authorities {
            throw fault(\.redis.tls.authoritiesFile, .isNot("a PEM file of certificates"))
        } catch .certificates(let reason) {
            throw fault(\.redis.tls.certificateFile, .because("the certificate cannot be used: \(reason)"))
        } catch .privateKey {
            let reason = "not the unencrypted PEM private key of the certificate"
            throw fault(\.redis.tls.keyFile, .because(reason))
        } catch {
            throw fault(\.redis.address, .because("libssl cannot be used"))
        }
    }

    private func identity(_ files: DeploymentValues.TLSValues) throws(FaultySetting) -> TLSIdentity? {
        guard files.certificateFile != nil || files.keyFile != nil else { return nil }
        guard files.certificateFile != nil else {
            throw missing(\.redis.tls.certificateFile, "required with \(name(of: \.redis.tls.keyFile))")
        }
        guard files.keyFile != nil else {
            throw missing(\.redis.tls.keyFile, "required with \(name(of: \.redis.tls.certificateFile))")
        }
        let certificates = collect(try text(files.certificateFile, \.redis.tls.certificateFile)) ?? nil
        let key = collect(try text(files.keyFile, \.redis.tls.keyFile)) ?? nil
        guard let certificates, let key else { return nil }
        return TLSIdentity(certificates: certificates, privateKey: key)
    }

    /// Returns the content of the file that a setting names; nil if the setting is not set.
    private func text(
        _ path: String?,
        _ property: PartialKeyPath<DeploymentValues>
    ) throws(FaultySetting) -> String? {
        guard let path else { return nil }
        return String(decoding: try file(path, property), as: UTF8.self)
    }

    /// Returns the required replica confirmation; nil if changes do not wait for replicas.
    private func replicaConfirmation() throws(FaultySetting) -> ReplicaConfirmation? {
        let milliseconds = Int(self.redis.replicaTimeout / .milliseconds(1))
        guard
            let confirmation = ReplicaConfirmation(
                replicas: self.redis.replicasBeforeAnswer,
                milliseconds: milliseconds
            )
        else { return nil }
        try check(\.redis.replicaTimeout, \.redis.commandTimeout)
        guard self.redis.replicaTimeout < self.redis.commandTimeout else {
            let command = Int(self.redis.commandTimeout / .milliseconds(1))
            let name = name(of: \.redis.replicaTimeout)
            let form = "less than \(self.name(of: \.redis.commandTimeout)), which is \(command)"
            throw FaultySetting(name: name, line: "\(name): \(milliseconds) is not \(form)")
        }
        return confirmation
    }
}

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

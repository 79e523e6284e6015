import ChallengePages
import Delivery
import FastCGI
import FirebaseSessions
import Glibc
import IdentityToolkit
import Logging
import OutgoingHTTP
import Passwords
import PhoneAuth
import PhoneNumbers
import Redis
import RedisScripts
import Threads

/// All settings of an operator, validated.
struct Settings {
    var keyFile: String
    /// The file of numbering data; nil for the data of the release.
    var numberingFile: String?
    /// The parser of phone numbers, with the data of the release until ``loadNumberingData()``.
    var phoneNumbers = PhoneNumbers()
    /// The region codes in each setting that names regions: see ``requireKnownRegions()``.
    var namedRegions: [(setting: String, codes: [String])]
    /// The folder of the machine's metrics; nil if processes do not share their metrics.
    var metricsFolder: String?
    var projects: [Project]
    var directory: ProjectDirectory
    var mode: DeploymentMode
    /// Third-party challenge providers, by project.
    var challengeProviders: ChallengeProviders
    /// The Android apps that prove themselves with Play Integrity.
    var playIntegrity: [PlayIntegritySetting]
    /// The Firebase projects whose sessions are taken over, by project id.
    var firebaseProjects: [String: FirebaseProject]
    /// The threads that may wait for challenge providers or for Google's servers.
    var providerThreads: CountingGate
    /// Whether workers serve the admin interface.
    var adminInterface: AdminInterface
    var listen: ListenAddress
    var server: ServerConfiguration
    /// The maximum size of a request body, in bytes, except on the admin interface.
    var maxBodyBytes: Int
    var requestDeadline: Duration
    /// How long a stopping worker continues to serve while it reports that it is not ready.
    var drain: Duration
    var redis: ConnectionConfiguration
    var shards: ShardCount
    var policy: Policy
    /// The proxy for `https` requests to other machines; nil if there is none.
    var outgoingProxy: HTTPProxy?
    /// The connection to Apple's push service.
    var apns: APNsConfiguration
    /// A PEM file of certificates to trust for Apple's push service instead of the system's certificate authorities.
    var apnsTrustFile: String?
    /// The APNs credentials of all apps that have one.
    var apnsCredentials: [(project: Project, app: RegisteredApp, credential: APNsCredentialSetting)]
    /// The SMS gateways.
    var gateways: GatewaySettings
    /// A PEM file of certificates to trust for blocking hooks instead of the system's certificate authorities.
    var blockingHookTrustFile: String?
    var logLevel: Logger.Level

    /// Reads and checks all settings.
    /// - Throws: ``Failure`` with a line for each fault, which names the setting and says what is wrong with it.
    init(_ source: SettingsSource) throws(Failure) {
        let faults = SettingsFaults()
        guard let settings = faults.collect(try Settings(source, faults)), faults.isEmpty else {
            throw faults.failure(in: source)
        }
        self = settings
    }

    /// Reads all settings and the files that workers and dispatchers read when they start, except APNs credentials,
    /// which only the dispatchers' machines have.
    /// - Throws: ``Failure`` with a line for each fault: those of the settings, then those of the files.
    static func checkingStart(_ source: SettingsSource) throws(Failure) -> (settings: Settings, keys: ServerKeys) {
        let faults = SettingsFaults()
        var failures = Failures()
        guard let settings = faults.collect(try Settings(source, faults)) else { throw faults.failure(in: source) }
        failures.add(faults.failure(in: source))
        let keys = failures.collect(try settings.loadKeys())
        failures.collect(try settings.loadNumberingData())
        failures.collect(try settings.appVerification())
        failures.collect(try settings.blockingHookClient())
        failures.collect(try settings.apnsClient())
        if let clients = failures.collect(try settings.gatewayClients()) {
            failures.collect(try settings.mailGateways(clients))
        }
        failures.collect(try settings.requireHTTPLibrary())
        for fault in UnitAccess.faults(of: source.files) { failures.add(Failure(fault)) }
        guard failures.isEmpty, let keys else { throw failures.failure }
        return (settings, keys)
    }

    /// Reads the settings. Faulty settings keep their defaults or are missing, so that all faults are found.
    private init(_ source: SettingsSource, _ faults: SettingsFaults) throws(FaultySetting) {
        let read = try ReadSettings(source, faults)
        mode = read.mode
        let deployment = read.deployment
        keyFile = deployment.keyFile
        numberingFile = deployment.numberingFile
        _ = faults.collect(try deployment.required(\.projects))
        projects = read.projects.map { $0.project(mode: read.mode, mailSender: read.mailSender(of: $0)) }
        read.projects.checkIssuers(of: projects)
        apnsCredentials = []
        for (reader, project) in zip(read.projects, projects) {
            for app in project.apps {
                guard let reader = reader.apps.first(where: { $0.owner == app.name }),
                    let credential = reader.collect(try reader.apnsCredential()) ?? nil
                else { continue }
                apnsCredentials.append((project, app, credential))
            }
        }
        directory =
            faults.collect(try read.projects.directory(of: projects, deployment, mode: read.mode))
            ?? ProjectDirectory(apiKeys: [:])
        let outgoingProxy = faults.collect(try deployment.httpProxy()) ?? nil
        self.outgoingProxy = outgoingProxy
        let providers = read.projects.challengeProviders()
        playIntegrity = read.projects.playIntegrity()
        firebaseProjects = read.projects.firebaseProjects()
        providerThreads = CountingGate(
            maximum: BlockingBudget(servingThreads: deployment.threads).challengeProviders,
            owners: providers.count + playIntegrity.filter(\.asksGoogle).count + firebaseProjects.count
        )
        challengeProviders = ChallengeProviders(
            providers,
            ProviderCheck(threads: providerThreads, proxy: outgoingProxy)
        )
        adminInterface = deployment.servesAdminRoutes ? .served(tokenAudiences: deployment.adminTokenURLs) : .none
        listen = deployment.listen
        maxBodyBytes = deployment.maxBodyBytes
        redis =
            faults.collect(try deployment.connection()) ?? ConnectionConfiguration(servers: ServerList(.unix(path: "")))
        server = ServerConfiguration(
            threads: deployment.threads,
            activeThreads: deployment.activeThreads ?? Self.activeThreads(using: redis),
            maxBodyBytes: adminInterface.isServed ? max(maxBodyBytes, AdminInterface.maximumBodyBytes) : maxBodyBytes
        )
        requestDeadline = deployment.requestDeadline
        drain = deployment.drain
        shards = deployment.shards
        apns = deployment.apns
        apnsTrustFile = deployment.apnsTrustFile
        gateways = read.gatewaySettings()
        namedRegions = read.namedRegions(gateways.routes)
        blockingHookTrustFile = deployment.blockingHookTrustFile
        metricsFolder = deployment.metricsFolder
        policy = read.policy(gateways)
        logLevel = deployment.logLevel
    }

    /// Reads the key file.
    /// - Throws: ``Failure`` that names the file and its invalid field.
    func loadKeys() throws(Failure) -> ServerKeys {
        let text = try readFile(keyFile)
        do {
            let keys = try KeyFile.parse(text)
            keys.advance(to: Environment.system.now())
            return keys
        } catch {
            throw Failure("\(keyFile): \(error)")
        }
    }

    /// Returns an authenticator for one thread of a command, which reads the outboxes of these projects, or of all.
    /// Without a logger, it prints warnings to standard error.
    func authenticator(
        _ keys: ServerKeys,
        for requester: Requester = .commandLine(as: operatorName()),
        of ids: [String]? = nil,
        passwordHashing: PasswordHashing? = nil,
        _ logger: Logger? = nil
    ) -> Authenticator {
        Authenticator(
            store: Store(redis, shards: shards, projects: ids ?? projects.map(\.id), marks: { keys.deploymentMarks }),
            keys: keys,
            policy: policy,
            phoneNumbers: phoneNumbers,
            appVerification: mode == .development ? .trustEveryone : .required,
            caches: StoreCaches(settingsLifetime: policy.settingsLifetime),
            passwordHashing: passwordHashing,
            requester: requester,
            environment: .system,
            logDroppedStep: { step in
                if let logger { return logger.dropped(step) }
                writeToStandardError("warning: a step was dropped: \(step.name): \(step.error)\n")
            }
        )
    }

    /// Checks that Redis is the deployment's. If Redis does not answer, this logs it: each new connection checks it,
    /// too.
    /// - Throws: ``Failure`` if it is not.
    func requireOwnRedis(
        _ keys: ServerKeys,
        needsIndexKey: Bool = true,
        _ logUnavailable: (StoreUnavailable) -> Void
    ) throws(Failure) {
        let mismatch: DeploymentMismatch?
        do throws(StoreUnavailable) {
            mismatch = try deploymentMismatch(keys, needsIndexKey: needsIndexKey)
        } catch {
            return logUnavailable(error)
        }
        if let mismatch { throw foreignRedis(mismatch) }
    }

    /// Returns the failure of a command whose Redis is not the deployment's.
    func foreignRedis(_ mismatch: DeploymentMismatch) -> Failure { Failure("\(redis.servers): this Redis \(mismatch)") }

    /// Returns why Redis is not the keys' deployment's; nil if it is.
    /// - Throws: ``StoreUnavailable`` if Redis does not answer soon.
    func deploymentMismatch(
        _ keys: ServerKeys,
        needsIndexKey: Bool = true
    ) throws(StoreUnavailable) -> DeploymentMismatch? {
        let store = Store(redis, shards: shards, projects: projects.map(\.id), marks: { keys.deploymentMarks })
        store.needsIndexKey = needsIndexKey
        store.deadline = .now + Self.patienceAtStart
        return try store.deploymentMismatch()
    }

    /// Returns why Redis does not serve this deployment; nil if it does.
    func redisProblem(_ keys: ServerKeys) -> String? {
        do throws(StoreUnavailable) {
            return try deploymentMismatch(keys).map { "this Redis \($0)" }
        } catch {
            return "\(error)"
        }
    }

    /// How long a process waits for Redis when it starts.
    private static let patienceAtStart: Duration = .seconds(2)

    /// The Redis configuration of a worker's threads: at most half of them may be in a second try at once.
    var redisOfServingThreads: ConnectionConfiguration {
        var redis = redis
        redis.secondTries = CountingGate(maximum: max(1, server.threads / 2))
        return redis
    }

    /// The project, if there is exactly one.
    var onlyProject: Project? { projects.count == 1 ? projects.first : nil }

    /// Returns the project with this id.
    /// - Throws: ``Failure`` if it does not exist.
    func project(_ id: String?) throws(Failure) -> Project {
        guard let id else {
            if let onlyProject { return onlyProject }
            let ids = projects.map(\.id).joined(separator: ", ")
            throw Failure("the settings have several projects (\(ids)): choose one with --project")
        }
        guard let project = projects.first(where: { $0.id == id }) else {
            throw Failure("\"\(id)\": no such project in the settings")
        }
        return project
    }
}

extension Settings {
    /// Returns the default number of a worker's threads that are active at once. The other threads replace threads that
    /// are waiting for a blocking hook, a challenge provider or a password hash.
    ///
    /// One active thread per processor has the same throughput as sixteen threads, at a lower cost. On two processors
    /// with two workers, the measurements were: a sixth less for a send, 4 % less for a sign-in, and half the time for
    /// the slowest sign-ins. But a thread stays active while it waits for Redis. If Redis is on the same machine, this
    /// wait takes microseconds. Otherwise, it may take longer than the request's own work, so all threads are active.
    static func activeThreads(using redis: ConnectionConfiguration) -> Int {
        let isNear = redis.servers.isLocal && redis.replicaConfirmation == nil
        return isNear ? max(2, Processors.count) : .max
    }
}

/// Returns the name of the operator who runs this command, for the audit log: the user, the host, and who became this
/// user with `sudo`.
func operatorName() -> String {
    let user = getpwuid(getuid()).flatMap { String(validatingCString: $0.pointee.pw_name) } ?? "\(getuid())"
    var host = [CChar](repeating: 0, count: 256)
    gethostname(&host, host.count - 1)
    let hostName = String(decoding: host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let before = getenv("SUDO_USER").flatMap { String(validatingCString: $0) }
    return "\(user)@\(hostName)" + (before.map { " (sudo by \($0))" } ?? "")
}

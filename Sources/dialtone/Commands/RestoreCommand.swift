import ArgumentParser
import Encodings
import Glibc
import PhoneAuth
import Redis
import RedisScripts

/// `dialtone restore`.
struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Restore a backup into an empty Redis, or only the key file.",
        discussion: """
            Workers refuse to serve until all keys are restored, and then continue by themselves. If the command fails \
            or is killed, run it again. Redis must not be older than it was at the time of the backup; one server can \
            replace a cluster, and a cluster one server. The Redis user needs +restore: if the user in the settings \
            lacks it, set DIALTONE_REDIS_USER and DIALTONE_REDIS_PASSWORD in the environment.
            """
    )

    private static let batchSize = 1000
    private static let batchBytes = 1 << 20

    @OptionGroup var settings: SettingsOptions
    @ArgumentParser.Argument(help: "The backup.", completion: .file()) var file: String
    @Option(help: "The file with the key for backups.", completion: .file()) var key: String
    @Flag(help: "Only create the key file as it was at the time of the backup. It must not exist.")
    var keysOnly = false
    @Flag(help: "Afterwards, decrypt all accounts, and look up each phone number and e-mail address.")
    var verify = false

    func run() throws {
        var settings = try settings.load()
        // One reply arrives only after many pipelined commands.
        settings.redis.commandTimeout = max(settings.redis.commandTimeout, .seconds(30))
        var status = stat()
        guard stat(file, &status) == 0 else { throw Failure("\(file): \(lastSystemError())") }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw Failure("\(file): not a regular file, which a restore reads twice")
        }
        let backup = try BackupReader(file, key: BackupKey.read(key))
        if keysOnly {
            try createPrivateFile(settings.keyFile, backup.keyFile)
            return printLine("created \(settings.keyFile)")
        }
        let keys = try settings.loadKeys()
        do {
            try restore(backup, settings, keys)
        } catch let store as StoreUnavailable {
            throw Failure("\(settings.redis.servers): \(store); once this is resolved, run the command again")
        }
        if verify { try settings.verifyAccounts(keys) }
    }

    private func restore(_ backup: BackupReader, _ settings: Settings, _ keys: ServerKeys) throws {
        let restoration = RedisRestoration(settings.redis, shards: settings.shards, marks: keys.deploymentMarks)
        let id = backup.header.id
        switch try restoration.obstacle(to: id) {
        case nil: break
        case .mismatch(let mismatch): throw settings.foreignRedis(mismatch)
        case .hasData: throw Failure("\(settings.redis.servers): this Redis has data; restore into an empty one")
        case .hasOtherBackup:
            throw Failure("\(settings.redis.servers): another backup was restored in part; empty this Redis first")
        }
        try requireKeys(of: backup, in: keys, settings)
        let (mark, count) = try examine(backup)
        let attempt = Base64URL.string(Environment.system.randomBytes(16))
        if let mismatch = try restoration.begin(id, attempt: attempt, mark: mark) {
            if case .shards = mismatch { throw Failure("\(file): this backup \(mismatch)") }
            throw Failure("\(file): this backup \(mismatch.fact): \(Self.keyFileRemedy)")
        }
        var progress = Progress("keys restored", of: count)
        try forEachBatch(of: id) { entries in
            try restoration.write(entries)
            progress.add(entries.count)
        }
        try restoration.finish()
        progress.finish()
        recordFileChange("restore of the backup of \(backup.header.time.utc)", settings)
        printLine(
            """
            \(settings.redis.servers)  has the data of the deployment \(backup.header.fingerprint) of \
            \(backup.header.time.utc)
            """
        )
    }

    private static let keyFileRemedy = "use the key file of its time, which --keys-only creates"

    /// Checks that the key file has all that decrypts the data of the backup.
    private func requireKeys(of backup: BackupReader, in keys: ServerKeys, _ settings: Settings) throws {
        do {
            _ = try KeyFile.parse(backup.keyFile).adopt(keys, at: Environment.system.now())
        } catch {
            throw Failure("\(settings.keyFile): \(error); for this backup, \(Self.keyFileRemedy)")
        }
    }

    /// Reads the backup to its end before anything is changed.
    private func examine(_ backup: BackupReader) throws(Failure) -> (mark: SnapshotEntry, count: Int) {
        var (mark, count) = (SnapshotEntry?.none, 0)
        while let entry = try backup.next() {
            count += 1
            if entry.isDeploymentMark { mark = entry }
        }
        guard let mark else { throw Failure("\(file): the backup lacks the deployment's mark") }
        return (mark, count)
    }

    private func forEachBatch(of id: String, _ work: ([SnapshotEntry]) throws -> Void) throws {
        let backup = try BackupReader(file, key: BackupKey.read(key))
        guard backup.header.id == id else { throw Failure("\(file): replaced by another backup meanwhile") }
        var (batch, byteCount) = ([SnapshotEntry](), 0)
        while let entry = try backup.next() {
            batch.append(entry)
            byteCount += entry.payload.count
            guard batch.count == Self.batchSize || byteCount >= Self.batchBytes else { continue }
            try work(batch)
            (batch, byteCount) = ([], 0)
        }
        try work(batch)
    }
}

extension Settings {
    private static let pageSize = 500

    /// Decrypts all accounts and test numbers of the projects, looks up the identifiers, and prints what was found.
    fileprivate func verifyAccounts(_ keys: ServerKeys) throws {
        let authenticator = authenticator(keys)
        var progress = Progress("accounts verified")
        var lines: [String] = []
        var unreachable: [String] = []
        do {
            try authenticator.checkDeployment()
            for project in projects {
                let operation = authenticator.operation(in: project)
                var (found, uids) = (VerifiedAccounts(), [String]())
                repeat {
                    uids = try operation.uids(after: uids.last, limit: Self.pageSize)
                    try operation.verifyAccounts(uids: uids, &found)
                    progress.add(uids.count)
                } while uids.count == Self.pageSize
                unreachable += found.unreachable.map { "account \($0) of \(project.id)" }
                lines.append(
                    """
                    \(project.id)  decrypted \(found.accounts) accounts with \(found.phoneNumbers) phone numbers, \
                    \(found.emails) e-mail addresses, \(found.passwords) password hashes and \(found.secondFactors) \
                    second factors, and \(try operation.verifyTestNumbers()) test numbers
                    """
                )
            }
        } catch ExportFailure.keysWrong {
            throw Failure("\(keyFile): values in Redis cannot be decrypted with this key file")
        } catch ExportFailure.unavailable(let store) {
            throw Failure("\(store)")
        }
        progress.finish()
        for line in lines { printLine(line) }
        guard unreachable.isEmpty else {
            throw Failure(lines: unreachable.map { "\($0): its phone number or e-mail address does not lead to it" })
        }
    }
}

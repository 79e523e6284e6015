import ArgumentParser
import Encodings
import PhoneAuth
import Redis
import RedisScripts

/// `dialtone backup`.
struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Save the key file and all data in Redis in one encrypted file.",
        discussion: """
            The file has the state of each Redis server at one moment, while workers and dispatchers continue. It \
            lacks queued messages and open verifications, which must not be used a second time. dialtone restore reads \
            it. Redis forks, as for a file of its own. The Redis user needs +sync and +replconf: if the user in the \
            settings lacks them, set DIALTONE_REDIS_USER and DIALTONE_REDIS_PASSWORD in the environment.
            """
    )

    @OptionGroup var settings: SettingsOptions
    @ArgumentParser.Argument(help: "The file to create; - is standard output.", completion: .file()) var file: String
    @Option(
        help: "The file with the key for backups: see dialtone keys generate --for-backups.",
        completion: .file()
    )
    var key: String
    @Flag(help: "Replace an existing file.") var force = false

    func run() throws {
        let settings = try settings.load()
        let (keys, key) = (try settings.loadKeys(), try BackupKey.read(key))
        let fingerprint = DeploymentMarks.fingerprint(keys.deploymentMarks.keys)
        let store = Store(settings.redis, shards: settings.shards, projects: []) { keys.deploymentMarks }
        store.needsIndexKey = false
        do {
            var backup = try SnapshotScan(backingUp: store)
            let output = try ExportFile(file == "-" ? nil : file, replaces: force)
            defer { output.discard() }
            let header = BackupHeader(fingerprint, .system)
            let writer = try BackupWriter(output, header, key: key, keyFile: readFile(settings.keyFile))
            var (progress, isMarked) = (Progress("keys read", of: backup.total), false)
            while let entry = try backup.next() {
                try writer.add(entry)
                isMarked = isMarked || entry.isDeploymentMark
                progress.add(backup.count - progress.count)
            }
            progress.finish()
            guard isMarked else { throw StoreUnavailable(description: "Redis has lost the deployment's mark") }
            try writer.finish()
            writeToStandardError(
                """
                \(file): the deployment \(fingerprint) at \(header.time.utc), without \(backup.leftOut) keys of queued \
                messages and open verifications\n
                """
            )
        } catch let store as StoreUnavailable {
            throw Failure("\(settings.redis.servers): \(store)")
        }
    }
}

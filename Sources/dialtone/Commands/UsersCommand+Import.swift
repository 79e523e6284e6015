import AccountFiles
import ArgumentParser
import PhoneAuth
import RedisStore
import Threads

extension UsersCommand {
    /// `dialtone users import`.
    struct Import: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Read accounts that export or the Firebase CLI's auth:export wrote.",
            discussion: """
                Accounts keep their uids. One that cannot be taken as a whole is not taken: it is told with its line, or its place \
                in the list, and the others go on. It can be stopped and run again at any time: accounts that are there as the file \
                says are passed over, and what was begun is finished.
                """
        )

        /// Small enough for the replies to a batch to arrive well within the command time-out.
        private static let batchSize = 250

        @OptionGroup var options: ProjectOptions
        @OptionGroup(title: "How passwords in Firebase's format were hashed") var hashOptions: PasswordOriginOptions
        @Argument(help: "The file; - for standard input.") var file: String
        @Option(help: "json-lines or firebase; where it is not said, the file shows it.", transform: oneOf)
        var format: AccountFileFormat?
        @Option(
            help: """
                What to do where the uid is there with another account: refuse, keep what is there, or overwrite it with what the \
                file names.
                """,
            transform: oneOf
        )
        var existing = ExistingAccounts.refuse
        @Flag(help: "Only say what would be done.") var dryRun = false

        func run() throws {
            let origin = try hashOptions.origin()
            let (makeAuthenticator, project) = try options.openForThreads()
            let source = RecordSource(try InputFile(file), format)
            let (existing, isRehearsal) = (existing, dryRun)
            var tally = ImportTally()
            var progress = Progress("accounts read")
            do {
                try workInOrder(
                    threads: UsersCommand.threads,
                    next: { source.next(Self.batchSize) },
                    worker: {
                        let importer = AccountImporter(
                            authenticator: makeAuthenticator(),
                            project: project,
                            origin: origin,
                            existing: existing,
                            isRehearsal: isRehearsal
                        )
                        return { records in try importer.importAccounts(records) }
                    },
                    take: { (batch: ImportTally) in
                        for refusal in batch.refusals {
                            progress.interrupt()
                            writeToStandardError(refusal + "\n")
                        }
                        tally.add(batch)
                        progress.add(batch.count)
                    }
                )
            } catch let store as StoreUnavailable {
                throw Failure("\(store); run it again to go on")
            }
            progress.finish()
            say((dryRun ? "would have " : "") + tally.summary)
            if tally.otherProviders > 0 {
                writeToStandardError(
                    "\(tally.otherProviders) accounts sign in with other providers, too, which Dialtone does not\n"
                )
            }
            if let fault = source.fault { throw Failure("\(file): \(fault)") }
            if tally.refused > 0 { throw Failure("\(tally.refused) accounts were not taken") }
        }
    }
}

import AccountFiles
import ArgumentParser
import Passwords
import PhoneAuth
import RedisScripts
import Threads

extension UsersCommand {
    /// `dialtone users import`.
    struct Import: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Import accounts from a file of export, of the Firebase CLI or of its emulator.",
            discussion: """
                The file has one account per line, or pages of accounts: what auth:export writes, the emulator's \
                accounts.json, and responses of accounts:batchGet. \
                Accounts keep their uids. An account with an invalid part is not imported: its line, or its place in \
                the list, is printed, and the import continues. The import can be stopped and run again at any time: \
                it skips accounts that are equal to those in the file, and completes accounts that an interrupted \
                import began and whose users have not signed in since.
                """
        )

        /// Small enough for the replies to a batch to arrive well within the command timeout.
        private static let batchSize = 250

        @OptionGroup var options: ProjectOptions
        @OptionGroup(title: "How Firebase hashed the passwords") var hashOptions: PasswordOriginOptions
        @Argument(help: "The file, or - for standard input.") var file: String
        @Option(
            help: """
                What to do if a different account with the uid exists: refuse the account in the file, keep the \
                existing account, or overwrite it with the fields in the file.
                """,
            transform: oneOf
        )
        var existing = ExistingAccounts.refuse
        @Flag(help: "Only print what would be done.") var dryRun = false

        func run() throws {
            let origin = try hashOptions.origin()
            let (makeAuthenticator, project) = try options.openForThreads(passwordHashing: passwordHashing())
            let source = RecordSource(try InputFile(file))
            let (existing, isDryRun) = (existing, dryRun)
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
                            isDryRun: isDryRun
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
                throw Failure("\(store); run the import again to continue")
            }
            progress.finish()
            printLine((dryRun ? "would have " : "") + tally.summary)
            if tally.otherProviders > 0 {
                writeToStandardError(
                    "\(tally.otherProviders) accounts also use other providers, which Dialtone does not support\n"
                )
            }
            if tally.lostPasswords > 0 {
                writeToStandardError(
                    "\(tally.lostPasswords) accounts have a password, but the file does not have its hash: the passwords "
                        + "are not imported\n"
                )
            }
            if !tally.skippedFields.isEmpty {
                writeToStandardError("skipped fields: \(tally.skippedFields.sorted().joined(separator: ", "))\n")
            }
            if let fault = source.fault { throw Failure("\(file): \(fault)") }
            if tally.refused > 0 { throw Failure("\(tally.refused) accounts were not imported") }
        }

        /// Returns hashing in which no thread of the import has to wait for a place.
        private func passwordHashing() throws(Failure) -> PasswordHashing {
            let threads = UsersCommand.threads
            var configuration = PasswordHashingConfiguration(threads: threads, servingThreads: 8 * threads)
            configuration.patience = .seconds(60)
            do { return try PasswordHashing(configuration) } catch { throw Failure("\(error)") }
        }
    }
}

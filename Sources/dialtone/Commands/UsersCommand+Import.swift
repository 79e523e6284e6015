import AccountFiles
import ArgumentParser
import Encodings
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
        @Argument(help: "The file, or - for standard input.", completion: .file()) var file: String
        @Option(
            help: """
                What to do if a different account with the uid exists: refuse the account in the file, keep the \
                existing account, or overwrite it with the fields in the file.
                """,
            transform: oneOf
        )
        var existing = ExistingAccounts.refuse
        @Flag(help: "Only print what would be done.") var dryRun = false
        @OptionGroup var confirmation: Confirmation

        func run() throws {
            if existing == .overwrite, !dryRun { try confirmation.ask("Overwrite accounts that exist?") }
            let origin = try hashOptions.origin()
            let (makeAuthenticator, project) = try options.openForThreads(passwordHashing: passwordHashing())
            let source = RecordSource(try InputFile(file))
            let (existing, isDryRun) = (existing, dryRun)
            var tally = ImportTally()
            var progress = Progress("accounts read")
            var duplicates = DuplicateFinder()
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
                        var batch = batch
                        duplicates.refuseDuplicates(in: &batch)
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
            return try Failure.wrapping(PasswordHashing(configuration))
        }
    }
}

/// The password hash parameters of a file of Firebase; the options are named as in the Firebase CLI.
struct PasswordOriginOptions: ParsableArguments {
    @Option(name: .customLong("hash-algo"), help: "SCRYPT, STANDARD_SCRYPT or BCRYPT.") var algorithm: String?
    @Option(
        name: .customLong("hash-key"),
        help: "SCRYPT's base64_signer_key. Other users can see it in the process list: prefer --hash-key-file."
    )
    var key: String?
    @Option(name: .customLong("hash-key-file"), help: "A file with the Base64 key.", completion: .file())
    var keyFile: String?
    @Option(help: "SCRYPT's base64_salt_separator.") var saltSeparator = ""
    @Option(help: "SCRYPT's rounds.") var rounds: Int?
    @Option(name: .customLong("mem-cost"), help: "SCRYPT's mem_cost, or N of STANDARD_SCRYPT.") var memoryCost: Int?
    @Option(help: "p of STANDARD_SCRYPT.") var parallelization = 1
    @Option(help: "r of STANDARD_SCRYPT.") var blockSize = 8
    @Option(name: .customLong("dk-len"), help: "The length of a STANDARD_SCRYPT hash in bytes.") var hashByteCount: Int?

    @Flag(help: "Hash and import the passwords of Firebase's emulator, which are in plain text.")
    var allowEmulatorPasswords = false

    func origin() throws(Failure) -> PasswordOrigin {
        PasswordOrigin(
            try scheme(),
            hashByteCount: algorithm?.uppercased() == "STANDARD_SCRYPT" ? hashByteCount : nil,
            allowsEmulatorPasswords: allowEmulatorPasswords
        )
    }

    /// Returns the algorithm with its parameters; nil if no algorithm is given.
    private func scheme() throws(Failure) -> ForeignHashScheme? {
        switch algorithm?.uppercased() {
        case nil:
            return nil
        case "SCRYPT":
            guard
                let parameters = FirebaseHashParameters(
                    signerKey: try signerKey(),
                    saltSeparator: try Self.bytes(saltSeparator, "--salt-separator \"\(saltSeparator)\""),
                    rounds: rounds ?? 0,
                    memoryCost: memoryCost ?? 0
                )
            else {
                throw Failure(
                    "--rounds \"\(rounds ?? 0)\", --mem-cost \"\(memoryCost ?? 0)\": SCRYPT needs rounds from 1 to 8, "
                        + "mem-cost from 1 to 14, and a key of 16 to 128 bytes"
                )
            }
            return .firebaseScrypt(parameters)
        case "STANDARD_SCRYPT":
            guard
                let parameters = ScryptParameters(
                    cost: memoryCost ?? 0,
                    blockSize: blockSize,
                    parallelism: parallelization
                )
            else {
                throw Failure(
                    "--mem-cost \"\(memoryCost ?? 0)\", --block-size \"\(blockSize)\", --parallelization "
                        + "\"\(parallelization)\": not valid for STANDARD_SCRYPT, or more than 128 MiB"
                )
            }
            return .scrypt(parameters)
        case "BCRYPT":
            return .bcrypt
        case let other?:
            throw Failure("--hash-algo \"\(other)\": not SCRYPT, STANDARD_SCRYPT or BCRYPT")
        }
    }

    private func signerKey() throws(Failure) -> [UInt8] {
        switch (key, keyFile) {
        case (let key?, nil): return try Self.bytes(key, "--hash-key")
        case (nil, let path?):
            let text = String(decoding: try readFile(path), as: UTF8.self)
            return try Self.bytes(text.filter { !$0.isWhitespace }, path)
        default: throw Failure("SCRYPT needs --hash-key-file or --hash-key, but not both")
        }
    }

    /// `name` is that of the option or file in an error, which does not contain a key.
    private static func bytes(_ text: String, _ name: String) throws(Failure) -> [UInt8] {
        guard let bytes = Base64.decode(eitherAlphabet: text.utf8) else { throw Failure("\(name): not valid Base64") }
        return bytes
    }
}

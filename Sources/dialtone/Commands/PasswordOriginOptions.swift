import AccountFiles
import ArgumentParser
import Encodings
import Passwords

/// The password hash parameters of a file of Firebase; the options are named as in the Firebase CLI.
struct PasswordOriginOptions: ParsableArguments {
    @Option(name: .customLong("hash-algo"), help: "SCRYPT, STANDARD_SCRYPT or BCRYPT.") var algorithm: String?
    @Option(
        name: .customLong("hash-key"),
        help: "SCRYPT's base64_signer_key. Other users can see it in the process list: prefer --hash-key-file."
    )
    var key: String?
    @Option(name: .customLong("hash-key-file"), help: "A file with the Base64 key.") var keyFile: String?
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

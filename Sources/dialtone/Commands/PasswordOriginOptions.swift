import AccountFiles
import ArgumentParser
import Encodings
import Passwords

/// The password hash parameters of a file in Firebase's format; the options are named as in the Firebase CLI.
struct PasswordOriginOptions: ParsableArguments {
    @Option(name: .customLong("hash-algo"), help: "SCRYPT, STANDARD_SCRYPT or BCRYPT.") var algorithm: String?
    @Option(
        name: .customLong("hash-key"),
        help: "SCRYPT's base64_signer_key. Others see it in the list of processes: better name a file."
    )
    var key: String?
    @Option(name: .customLong("hash-key-file"), help: "A file that holds the key in base 64.") var keyFile: String?
    @Option(help: "SCRYPT's base64_salt_separator.") var saltSeparator = ""
    @Option(help: "SCRYPT's rounds.") var rounds: Int?
    @Option(name: .customLong("mem-cost"), help: "SCRYPT's mem_cost, or N of STANDARD_SCRYPT.") var memoryCost: Int?
    @Option(help: "p of STANDARD_SCRYPT.") var parallelization = 1
    @Option(help: "r of STANDARD_SCRYPT.") var blockSize = 8
    @Option(name: .customLong("dk-len"), help: "How many bytes a hash of STANDARD_SCRYPT has.") var hashByteCount: Int?

    /// Returns the parameters; nil if no algorithm is named.
    func origin() throws(Failure) -> PasswordOrigin? {
        switch algorithm?.uppercased() {
        case nil:
            return nil
        case "SCRYPT":
            guard
                let parameters = FirebaseHashParameters(
                    signerKey: try signerKey(),
                    saltSeparator: try Self.bytes(saltSeparator, "--salt-separator"),
                    rounds: rounds ?? 0,
                    memoryCost: memoryCost ?? 0
                )
            else {
                throw Failure(
                    "SCRYPT needs --rounds from 1 to 8, --mem-cost from 1 to 14, and a key of 16 to 128 bytes"
                )
            }
            return PasswordOrigin(.firebaseScrypt(parameters))
        case "STANDARD_SCRYPT":
            guard
                let parameters = ScryptParameters(
                    cost: memoryCost ?? 0,
                    blockSize: blockSize,
                    parallelism: parallelization
                )
            else {
                throw Failure(
                    "STANDARD_SCRYPT needs --mem-cost, --block-size and --parallelization that are legal and ask for no more than "
                        + "128 MiB"
                )
            }
            return PasswordOrigin(.scrypt(parameters), hashByteCount: hashByteCount)
        case "BCRYPT":
            return PasswordOrigin(.bcrypt)
        default:
            throw Failure("--hash-algo: expected SCRYPT, STANDARD_SCRYPT or BCRYPT")
        }
    }

    private func signerKey() throws(Failure) -> [UInt8] {
        switch (key, keyFile) {
        case (let key?, nil): return try Self.bytes(key, "--hash-key")
        case (nil, let path?):
            let text = String(decoding: try readFile(path), as: UTF8.self)
            return try Self.bytes(text.filter { !$0.isWhitespace }, path)
        default: throw Failure("SCRYPT needs --hash-key-file, or --hash-key")
        }
    }

    private static func bytes(_ text: String, _ name: String) throws(Failure) -> [UInt8] {
        guard let bytes = Base64.decode(eitherAlphabet: text.utf8) else { throw Failure("\(name): expected base 64") }
        return bytes
    }
}

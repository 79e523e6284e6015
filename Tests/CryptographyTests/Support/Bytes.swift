import Encodings
import Glibc

/// The bytes of hexadecimal digits, which may have spaces between them.
func bytes(_ digits: String) -> [UInt8] {
    Hexadecimal.decode(digits.filter { $0 != " " }) ?? []
}

/// The bytes of a file; empty if there is none.
func readBytes(_ path: String) -> [UInt8] {
    guard let file = fopen(path, "r") else { return [] }
    defer { fclose(file) }
    return [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
        count = fread(buffer.baseAddress, 1, buffer.count, file)
    }
}

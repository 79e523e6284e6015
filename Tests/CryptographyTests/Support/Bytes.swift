import Encodings
import Glibc

/// Returns the bytes of hexadecimal digits, which may be separated by spaces.
func bytes(_ digits: String) -> [UInt8] {
    Hexadecimal.decode(digits.filter { $0 != " " }) ?? []
}

/// Returns the bytes of a file; empty if the file does not exist.
func readBytes(_ path: String) -> [UInt8] {
    guard let file = fopen(path, "r") else { return [] }
    defer { fclose(file) }
    return [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
        count = fread(buffer.baseAddress, 1, buffer.count, file)
    }
}

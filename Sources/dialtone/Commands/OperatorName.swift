import Glibc

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

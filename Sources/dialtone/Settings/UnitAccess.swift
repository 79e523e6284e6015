import Encodings
import Glibc

/// What the systemd units may do with files: they run as users that exist only meanwhile, in the group that the
/// installation creates.
enum UnitAccess {
    private static let group = "dialtone-keys"
    /// The user of whom no file is.
    private static let nobody: uid_t = 65_534
    /// Folders that the units do not see, or see empty.
    private static let hidden = ["/home", "/root", "/run/user", "/tmp", "/var/tmp", "/var/lib/redis"]

    /// Returns what the units cannot do with these files, and what others can: a line for each fault. Only root can
    /// test this, on a machine with the units' group; otherwise there are no faults.
    static func faults(of files: [NamedFile]) -> [String] {
        guard geteuid() == 0, let group = getgrnam(group)?.pointee.gr_gid else { return [] }
        return files.flatMap { file in [unreadable(file, by: group), exposed(file)].compactMap(\.self) }
    }

    private static func unreadable(_ file: NamedFile, by group: gid_t) -> String? {
        if let folder = hidden.first(where: { file.path.hasPrefix("\($0)/") }) {
            return "\(file.name): \(file.path): the units do not see \(folder); move the file to /etc/dialtone"
        }
        // The units own this folder: StateDirectory=.
        if file.path.hasPrefix("/var/lib/dialtone/") { return nil }
        var former = gid_t()
        guard setgroups(0, &former) == 0, setegid(group) == 0, seteuid(nobody) == 0 else { return nil }
        let descriptor = open(file.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        let reason = lastSystemError()
        if descriptor >= 0 { close(descriptor) }
        guard seteuid(0) == 0, setegid(0) == 0 else { return "cannot become root again: \(lastSystemError())" }
        guard descriptor < 0 else { return nil }
        let remedy = "chgrp \(Self.group) \(file.path) && chmod 640 \(file.path)"
        return "\(file.name): \(file.path): the units cannot read it (\(reason)): \(remedy)"
    }

    /// Returns whether every user of this machine can read a secret.
    static func isOpen(_ file: NamedFile) -> Bool {
        var status = stat()
        return file.isSecret && stat(file.path, &status) == 0 && status.st_mode & S_IROTH != 0
    }

    /// Returns a fault if users other than root and the units can read a secret or change a file.
    private static func exposed(_ file: NamedFile) -> String? {
        var status = stat()
        guard stat(file.path, &status) == 0 else { return nil }
        let isReadable = isOpen(file)
        guard isReadable || status.st_mode & (S_IWGRP | S_IWOTH) != 0 || status.st_uid != 0 else { return nil }
        let remedy = "chown root \(file.path) && chmod 640 \(file.path)"
        return "\(file.name): \(file.path): users other than root can \(isReadable ? "read" : "change") it: \(remedy)"
    }
}

/// A file that a setting names.
struct NamedFile {
    /// The setting, or what the file is.
    let name: String
    let path: String
    let isSecret: Bool
}

extension SettingsSource {
    /// The files that workers and dispatchers read: the settings themselves, and those that settings name.
    var files: [NamedFile] {
        let named = names.flatMap { name, _ in
            guard name.hasSuffix("_FILE") || name.hasSuffix("_FILES"), let text = text(name) else {
                return [NamedFile]()
            }
            let isSecret = !["TRUST_FILE", "CA_FILE", "MESSAGE_FILE", "MAIL_FILE", "NUMBERING_FILE"].contains {
                name.hasSuffix($0)
            }
            return text.split(separator: ",").map {
                NamedFile(name: name, path: String($0.trimmed), isSecret: isSecret)
            }
        }
        let keys =
            text(DeploymentValues.name(of: \.keyFile)) == nil
            ? [NamedFile(name: "the keys", path: DeploymentValues(mode: .production).keyFile, isSecret: true)] : []
        return (path.map { [NamedFile(name: "the settings", path: $0, isSecret: true)] } ?? []) + keys + named
    }
}

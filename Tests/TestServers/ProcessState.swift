import Glibc

/// Returns the kernel's state letter of a process (`R`, `S`, `T` for stopped, `Z` for zombie), or nil if the process
/// does not exist.
public func processState(_ processID: Int32) -> Character? { processState(processID, of: processID) }

private func processState(_ threadID: Int32, of processID: Int32) -> Character? {
    let text = readFile("/proc/\(processID)/task/\(threadID)/stat")
    // The name before the state is in parentheses and may contain any character.
    guard let end = text.lastIndex(of: ")") else { return nil }
    return text[end...].dropFirst(2).first
}

/// Stops a process with SIGSTOP, and returns when all of its threads have stopped, which they do one after another.
public func halt(_ processID: Int32) {
    kill(processID, SIGSTOP)
    let isHalted = eventually {
        let threads = threadIDs(processID)
        return !threads.isEmpty && threads.allSatisfy { processState($0, of: processID) == "T" }
    }
    precondition(isHalted, "process \(processID) did not halt")
}

private func threadIDs(_ processID: Int32) -> [Int32] {
    guard let folder = opendir("/proc/\(processID)/task") else { return [] }
    defer { closedir(folder) }
    var ids: [Int32] = []
    while let entry = readdir(folder) {
        let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        if let id = Int32(name) { ids.append(id) }
    }
    return ids
}

/// Returns a memory measure from `/proc/PID/status`, in KiB; 0 if the process has ended.
public func processMemory(_ processID: Int32, _ measure: String) -> Int {
    let line = readFile("/proc/\(processID)/status").split(separator: "\n").first { $0.hasPrefix(measure + ":") }
    return line.flatMap { Int($0.filter(\.isASCII).filter(\.isNumber)) } ?? 0
}

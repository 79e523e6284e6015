import Glibc

/// The state letter that the system shows for a process (`R`, `S`, `T` for halted, `Z` for ended but not collected), or nil if there is no such process.
public func processState(_ processID: Int32) -> Character? { processState(processID, of: processID) }

private func processState(_ threadID: Int32, of processID: Int32) -> Character? {
    let text = readFile("/proc/\(processID)/task/\(threadID)/stat")
    // The name before the state is in parentheses and may hold any character.
    guard let end = text.lastIndex(of: ")") else { return nil }
    return text[end...].dropFirst(2).first
}

/// Halts a process, and returns when all of its threads stand still: they do so one after another.
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

/// One of a process's measures of its memory, in KiB, as `/proc/PID/status` calls it; 0 where the process has ended.
public func processMemory(_ processID: Int32, _ measure: String) -> Int {
    let line = readFile("/proc/\(processID)/status").split(separator: "\n").first { $0.hasPrefix(measure + ":") }
    return line.flatMap { Int($0.filter(\.isASCII).filter(\.isNumber)) } ?? 0
}

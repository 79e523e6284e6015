import Glibc

/// The state letter that the system shows for a process (`R`, `S`, `T` for halted, `Z` for ended but not collected), or nil if there is no such process.
public func processState(_ processID: Int32) -> Character? {
    let text = readFile("/proc/\(processID)/stat")
    // The name before the state is in parentheses and may hold any character.
    guard let end = text.lastIndex(of: ")") else { return nil }
    return text[end...].dropFirst(2).first
}

/// One of a process's measures of its memory, in KiB, as `/proc/PID/status` calls it; 0 where the process has ended.
public func processMemory(_ processID: Int32, _ measure: String) -> Int {
    let line = readFile("/proc/\(processID)/status").split(separator: "\n").first { $0.hasPrefix(measure + ":") }
    return line.flatMap { Int($0.filter(\.isASCII).filter(\.isNumber)) } ?? 0
}

import Processes
import TestServers

/// A shell that has started a sleep and waits for it.
struct ShellWithSleep {
    let shell: ChildProcess
    let sleepID: Int32
    private let folder: TemporaryFolder

    init() throws {
        let folder = try TemporaryFolder()
        shell = try ChildProcess.start(
            "sh",
            ["-c", "sleep 60 & echo $! > made; mv made sleep; wait"],
            workingFolder: folder.path
        )
        guard eventually({ !folder.read("sleep").isEmpty }) else {
            throw ServerFailure(description: "no sleep was started")
        }
        sleepID = Int32(folder.read("sleep").dropLast()) ?? 0
        self.folder = folder
    }

    var sleepRuns: Bool { isRunning(sleepID) }
}

/// Returns whether a process exists and has not ended.
func isRunning(_ processID: Int32) -> Bool {
    guard let state = processState(processID) else { return false }
    return state != "Z"
}

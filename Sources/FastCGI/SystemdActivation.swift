import Glibc

/// systemd's socket activation: the environment variables that describe passed sockets (`sd_listen_fds(3)`).
package struct SystemdActivation {
    /// The first passed descriptor (`SD_LISTEN_FDS_START`).
    static let firstDescriptor: Int32 = 3

    let listenPID: String?
    let listenFDs: String?
    let processID: Int32

    package init(listenPID: String?, listenFDs: String?, processID: Int32) {
        self.listenPID = listenPID
        self.listenFDs = listenFDs
        self.processID = processID
    }

    static var current: SystemdActivation {
        func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
        return SystemdActivation(
            listenPID: variable("LISTEN_PID"),
            listenFDs: variable("LISTEN_FDS"),
            processID: getpid()
        )
    }

    /// Returns the descriptor of the one passed socket.
    ///
    /// Other processes, such as a shell or a child, may inherit the variables. `LISTEN_PID` identifies the intended
    /// process.
    package func descriptor() throws(ListenError) -> Int32 {
        guard let listenPID, let listenFDs else {
            throw .notActivated(reason: "LISTEN_PID and LISTEN_FDS are not set")
        }
        guard Int32(listenPID) == processID else {
            throw .notActivated(reason: "LISTEN_PID is \(listenPID), this process is \(processID)")
        }
        guard listenFDs == "1" else {
            throw .notActivated(reason: "LISTEN_FDS is \(listenFDs), expected exactly one socket")
        }
        return Self.firstDescriptor
    }
}

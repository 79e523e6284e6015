import FastCGI
import Testing

@Suite struct SystemdActivationTests {
    @Test("a single socket passed to this process is descriptor 3")
    func activated() throws {
        #expect(try SystemdActivation(listenPID: "42", listenFDs: "1", processID: 42).descriptor() == 3)
    }

    @Test(
        "variables for another process, or for several sockets, are rejected",
        arguments: [
            (nil, nil, "LISTEN_PID and LISTEN_FDS are not set"),
            ("42", nil, "LISTEN_PID and LISTEN_FDS are not set"),
            ("41", "1", "LISTEN_PID is 41, this process is 42"),
            ("", "1", "LISTEN_PID is , this process is 42"),
            ("42", "0", "LISTEN_FDS is 0, expected exactly one socket"),
            ("42", "2", "LISTEN_FDS is 2, expected exactly one socket"),
        ] as [(String?, String?, String)]
    )
    func refused(listenPID: String?, listenFDs: String?, reason: String) {
        #expect(throws: ListenError.notActivated(reason: reason)) {
            try SystemdActivation(listenPID: listenPID, listenFDs: listenFDs, processID: 42).descriptor()
        }
    }
}

import Processes
import TestServers
import Testing

/// The check of libfcgi at a worker's start. A worker relies on libfcgi's internals, so it tests how the installed
/// library behaves.
@Suite struct AlteredLibraryTests {
    /// Functions that the worker finds before those of the installed library.
    private static let source = """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <fcgiapp.h>
        #include <sys/socket.h>
        #include <unistd.h>

        static int given;

        int FCGX_Accept_r(FCGX_Request *request) {
            int (*original)(FCGX_Request *) = (int (*)(FCGX_Request *))dlsym(RTLD_NEXT, "FCGX_Accept_r");
            given = request->ipcFd;
            BEFORE;
            int result = original(request);
            AFTER;
            return result;
        }

        void FCGX_Free(FCGX_Request *request, int close) {
            void (*original)(FCGX_Request *, int) = (void (*)(FCGX_Request *, int))dlsym(RTLD_NEXT, "FCGX_Free");
            FREE;
            original(request, close);
        }
        """

    @Test("a worker starts with a library that behaves like the installed one")
    func unaltered() throws {
        let worker = try runWorker(Alteration())
        #expect(worker.status == .exited(0))
        #expect(worker.log.contains("serving"))
    }

    @Test(
        "a worker refuses to start with a library that behaves differently",
        arguments: [
            Alteration(
                before: "request->ipcFd = -1",
                expectation: "a request is read from the connection that is given"
            ),
            Alteration(
                before: "request->keepConnection = 0",
                expectation: "a request is read from the connection that is given"
            ),
            Alteration(before: "request->detached = 0", expectation: "a broken connection is closed at once"),
            Alteration(after: "request->ipcFd = dup(given)", expectation: "the connection that was given is returned"),
            Alteration(after: "request->ipcFd = -1", expectation: "the connection that was given is returned"),
            Alteration(after: "request->requestId = 1", expectation: "the request's id and role are read"),
            Alteration(after: "request->role = 2", expectation: "the request's id and role are read"),
            Alteration(after: "request->keepConnection = 1", expectation: "FCGI_KEEP_CONN is read"),
            Alteration(after: "request->keepConnection = 0", expectation: "FCGI_KEEP_CONN is read"),
            Alteration(after: "request->envp += 2", expectation: "parameters are read"),
            Alteration(after: "request->envp[2][9] = 0", expectation: "long parameters are read"),
            Alteration(after: "request->envp[3] = 0", expectation: "empty parameters are read"),
            Alteration(after: "FCGX_GetChar(request->in)", expectation: "the body is read"),
            Alteration(
                after: "result = write(given, request, 8) - 8",
                expectation: "libfcgi writes nothing of its own"
            ),
            Alteration(after: "result = 0", expectation: "an invalid request is refused"),
            Alteration(
                free: "if (request->in) shutdown(given, SHUT_RDWR)",
                expectation: "a connection stays open at the end of a request"
            ),
        ]
    )
    func altered(_ alteration: Alteration) throws {
        let worker = try runWorker(alteration)
        #expect(worker.status == .exited(1))
        let reason = "cannot start the FastCGI server: the installed libfcgi does not behave like version 2.4.2"
        // The first line warns that no Redis answers.
        let message = "\(reason); expected: \(alteration.expectation)"
        #expect(worker.log.hasSuffix(#""level":"critical","message":"\#(message)"}\#n"#), "\(worker.log)")
    }

    /// Starts a worker with an altered library, and stops the worker if it serves.
    private func runWorker(_ alteration: Alteration) throws -> (status: Processes.ExitStatus, log: String) {
        let folder = try TemporaryFolder()
        try folder.write(Self.source, to: "altered.c")
        let compiled = try FinishedProcess.run(
            "clang",
            [
                "-shared", "-fPIC", "-Wall", "-Werror", "-DBEFORE=\(alteration.before)", "-DAFTER=\(alteration.after)",
                "-DFREE=\(alteration.free)", "-o", folder.path(of: "altered.so"), folder.path(of: "altered.c"),
            ]
        )
        try #require(compiled.isFine)
        let keys = ["keys", "generate", "--output", folder.path(of: "keys.json")]
        try #require(FinishedProcess.run(RunningServer.binary, keys).isFine)
        try folder.write(
            """
            DIALTONE_PROJECTS=demo
            DIALTONE_PROJECT_DEMO_API_KEYS=key
            DIALTONE_KEY_FILE=\(folder.path(of: "keys.json"))
            DIALTONE_LISTEN=unix:\(folder.path(of: "worker.sock"))
            DIALTONE_DRAIN_SECONDS=0
            DIALTONE_REDIS_ADDRESS=unix:\(folder.path(of: "redis.sock"))

            """,
            to: "dialtone.conf"
        )
        let worker = try ChildProcess.start(
            RunningServer.binary,
            ["worker", "--config", folder.path(of: "dialtone.conf")],
            environment: ["LD_PRELOAD": folder.path(of: "altered.so")],
            output: .discard,
            errors: .file(path: folder.path(of: "worker.log"))
        )
        _ = eventually {
            worker.waitForExit(atMost: .zero) != nil || folder.read("worker.log").contains("serving")
        }
        return (worker.stop(patience: .seconds(60)), folder.read("worker.log"))
    }
}

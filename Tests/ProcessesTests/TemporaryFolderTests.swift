import Glibc
import Processes
import TestServers
import Testing

@Suite struct TemporaryFolderTests {
    @Test("only its owner can enter a temporary folder")
    func mode() throws {
        let folder = try TemporaryFolder()
        var status = stat()
        #expect(stat(folder.path, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o700)
    }

    @Test("a temporary folder is removed with its content, but symbolic links are not followed")
    func removal() throws {
        let kept = try TemporaryFolder()
        try kept.write("still here", to: "file")
        var path = ""
        do {
            let folder = try TemporaryFolder()
            path = folder.path
            try folder.write("x", to: "file")
            mkdir(folder.path(of: "inner"), 0o700)
            try folder.write("x", to: "inner/file")
            symlink(kept.path, folder.path(of: "inner/link"))
            #expect(folder.read("inner/link/file") == "still here")
        }
        #expect(access(path, F_OK) != 0)
        #expect(kept.read("file") == "still here")
    }
}

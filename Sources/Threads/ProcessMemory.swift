internal import CThreads
internal import Glibc

/// The C library's retention of freed memory (mallopt(3)).
package enum Heap {
    /// Makes the C library retain little memory, for a process with many threads that mostly wait. Call this method
    /// before the first thread starts.
    package static func keepSmall() {
        // By default each thread gets its own arena, up to eight per processor, and memory freed in one arena is not
        // reused by others.
        mallopt(M_ARENA_MAX, Int32(clamping: Processors.count))
        // The scrypt hash of an imported password takes 16 MiB once. Without a fixed threshold, glibc raises the
        // threshold when the first such block is freed, and retains later ones.
        mallopt(M_MMAP_THRESHOLD, 1 << 20)
    }
}

/// The machine code of the program and its libraries, which is mapped from files.
package enum ProgramCode {
    /// Drops the pages of code that this process has run so far. Most of that code is needed only at start.
    ///
    /// When dropped code runs again, it is mapped again from the page cache, without reading the file. Mappings with
    /// private pages are kept: libraries with text relocations, and code in which a debugger has set breakpoints.
    package static func unmap() {
        guard let file = fopen("/proc/self/smaps", "re") else { return }
        defer { fclose(file) }
        var line: UnsafeMutablePointer<CChar>?
        var capacity = 0
        defer { free(line) }
        var code: Range<UInt>?
        while getline(&line, &capacity, file) > 0, let text = line.map({ String(cString: $0) }) {
            let words = text.split { $0 == " " || $0 == "\n" }
            if words.count == 6, words[1] == "r-xp", words[5].hasPrefix("/") {
                code = range(words[0])
            } else if words.first == "Anonymous:" {
                if words.dropFirst().first == "0", let code {
                    madvise(UnsafeMutableRawPointer(bitPattern: code.lowerBound), code.count, MADV_DONTNEED)
                }
                code = nil
            }
        }
    }

    /// Parses an address range such as `7f00a000-7f00c000`.
    private static func range(_ text: Substring) -> Range<UInt>? {
        let ends = text.split(separator: "-").compactMap { UInt($0, radix: 16) }
        return ends.count == 2 && ends[0] < ends[1] ? ends[0]..<ends[1] : nil
    }
}

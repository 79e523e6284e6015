import Processes
import Testing

@testable import ChallengePages

/// The QR codes of the account component, drawn by Node and read by ZBar.
@Suite struct QRCodeTests {
    /// Draws texts as bitmaps with modules of three pixels, each in the file that its pair names.
    private static let drawing = """
        const fs = require('fs');
        for (const [text, path] of JSON.parse(process.argv[1])) {
          const rows = qrCode(text);
          const width = (rows.length + 8) * 3;
          const pixel = (x, y) => Number(Boolean(rows[Math.floor(y / 3) - 4]?.[Math.floor(x / 3) - 4]));
          const lines = Array.from({ length: width },
            (_, y) => Array.from({ length: width }, (_, x) => pixel(x, y)).join(' '));
          fs.writeFileSync(path, [`P1 ${width} ${width}`, ...lines].join('\\n'));
        }
        console.log(qrCode('x'.repeat(413)));
        """

    @Test("an independent decoder reads every size, and a text that is too long is refused")
    func decoded() throws {
        let folder = try TemporaryFolder(prefix: "dialtone-qr")
        // The longest text of each version, and one that is a byte longer.
        let lengths = [14, 26, 42, 62, 84, 106, 122, 152, 180, 213, 251, 287, 331, 362, 412].flatMap { [$0, $0 + 1] }
        let alphabet = "https://Example?secret=ABCDEFGHIJKLMNOPQRSTUVWXYZ234567&issuer=%20-_.~"
        let texts = [1] + lengths.dropLast()
        let pairs = texts.map { length in
            let text = String(repeating: alphabet, count: 8).suffix(length)
            return (text: String(text), path: folder.path(of: "\(length).pbm"))
        }
        let json = pairs.map { #"["\#($0.text)","\#($0.path)"]"# }.joined(separator: ",")
        let script = String(decoding: PackageResources.qr_code_js, as: UTF8.self) + Self.drawing
        let drawn = try FinishedProcess.run("node", ["-e", script, "[\(json)]"])
        #expect(drawn.output == "null\n", "\(drawn.errors)")
        let read = try FinishedProcess.run("zbarimg", ["--quiet", "--raw"] + pairs.map(\.path))
        #expect(read.output.split(separator: "\n").map(String.init) == pairs.map(\.text), "\(read.errors)")
    }
}

import Processes
import Testing

@Suite("The production nginx configuration") struct NginxConfigurationTests {
    @Test("nginx accepts the installed configuration without warnings")
    func accepted() throws {
        let checked = try Nginx(starting: false).check()
        #expect(checked.status.isSuccess)
        let lines = checked.errors.split(separator: "\n")
        #expect(lines.allSatisfy { $0.hasSuffix("syntax is ok") || $0.hasSuffix("test is successful") }, "\(lines)")
    }
}

/// The Python scripts of these tests.
enum Script {
    /// Returns the path of a file beside this one.
    static func path(_ name: String) -> String {
        #filePath.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/" + name
    }
}

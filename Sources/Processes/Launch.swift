import CProcess
import Glibc

/// The arguments of `cprocess_start`, in Swift types.
struct Launch {
    let path: String
    let arguments: [String]
    let environment: [String: String]?
    let folder: String?
    let descriptors: [cprocess_descriptor]
    let diesWithParent: Bool
    let hasOwnGroup: Bool

    func run() -> cprocess_result {
        let path = strdup(path)
        let folder = folder.flatMap { strdup($0) }
        let arguments = makeCStrings(arguments)
        let environment = environment.map { makeCStrings($0.map { "\($0.key)=\($0.value)" }) }
        defer {
            free(path)
            free(folder)
            freeCStrings(arguments)
            if let environment { freeCStrings(environment) }
        }
        return descriptors.withUnsafeBufferPointer { descriptors in
            var request = cprocess_request(
                path: path,
                arguments: arguments,
                environment: environment,
                folder: folder,
                descriptors: descriptors.baseAddress,
                descriptor_count: descriptors.count,
                dies_with_parent: diesWithParent,
                own_group: hasOwnGroup
            )
            return cprocess_start(&request)
        }
    }
}

private typealias CStrings = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

/// Returns a C array of C strings, terminated by NULL.
private func makeCStrings(_ strings: [String]) -> CStrings {
    let array = CStrings.allocate(capacity: strings.count + 1)
    for (index, string) in strings.enumerated() { array[index] = strdup(string) }
    array[strings.count] = nil
    return array
}

private func freeCStrings(_ array: CStrings) {
    var index = 0
    while let string = array[index] {
        free(string)
        index += 1
    }
    array.deallocate()
}

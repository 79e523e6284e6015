internal import Glibc

/// The machine's processors.
package enum Processors {
    /// The number of online processors, at least one.
    package static var count: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}

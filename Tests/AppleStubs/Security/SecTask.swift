// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// The functions with which DialtoneAuth reads the app's own signature on macOS.

public final class SecTask {}

public func SecTaskCreateFromSelf(_: AnyObject?) -> SecTask? { nil }

public func SecTaskCopyValueForEntitlement(
    _: SecTask,
    _: CFString,
    _: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFTypeRef? { nil }

public import RedisStore

/// The store did not respond, or its data cannot be read. Most operations may throw this error.
public typealias StoreUnavailable = RedisStore.StoreUnavailable

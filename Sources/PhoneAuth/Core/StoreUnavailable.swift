public import RedisStore

/// The store did not respond, or with stored data that cannot be read. Most operations may throw it.
public typealias StoreUnavailable = RedisStore.StoreUnavailable

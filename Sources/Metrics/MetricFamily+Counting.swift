/// Counting of occasional events. Code that counts in each request keeps a ``Counter`` or ``Histogram`` instead,
/// because these functions look the series up, under a lock.
extension MetricFamily {
    /// Adds to a counter of this process. An amount of 0 makes the counter appear before the first event, which
    /// Prometheus's `increase` would otherwise miss.
    public func count(_ labels: String..., by amount: UInt64 = 1) {
        MetricRegistry.process.counter(self, labels).add(amount)
    }
}

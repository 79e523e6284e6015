/// Counting of what happens now and then. What happens in each request keeps a ``Counter`` or ``Histogram`` instead:
/// these look the series up, under a lock.
extension MetricFamily {
    /// Adds to a counter of this process. An amount of 0 makes the counter appear before the first event, which
    /// Prometheus's `increase` would miss otherwise.
    public func count(_ labels: String..., by amount: UInt64 = 1) {
        MetricRegistry.process.counter(self, labels).add(amount)
    }
}

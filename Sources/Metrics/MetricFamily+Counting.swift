/// Counting of what happens now and then. What happens in each request keeps a ``Counter`` or ``Histogram`` instead:
/// these look the series up, under a lock.
extension MetricFamily {
    /// Adds to a counter of this process.
    public func count(_ labels: String..., by amount: UInt64 = 1) {
        MetricRegistry.process.counter(self, labels).add(amount)
    }
}

/// Returns a fictional number: +1 650 555 01xx.
func fictionalNumber(_ index: Int) -> String {
    "+165055501" + (index < 10 ? "0" : "") + String(index)
}

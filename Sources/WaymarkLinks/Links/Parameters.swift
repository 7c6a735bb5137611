extension [String: String] {
    /// Sorted by name, so that equal parameters give equal text and problems have a stable order.
    package var inOrderOfNames: [Element] {
        // Most links have at most one: sorting would allocate two arrays.
        count > 1 ? sorted { $0.key < $1.key } : Array(self)
    }
}

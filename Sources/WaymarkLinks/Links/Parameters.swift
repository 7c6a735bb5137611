extension [String: String] {
    /// Sorted by name, so that equal parameters give equal texts and problems come in one order.
    var inOrderOfNames: [Element] {
        // Most links have one: sorting makes two arrays of it, and asks twice for memory.
        count > 1 ? sorted { $0.key < $1.key } : Array(self)
    }
}

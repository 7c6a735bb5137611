import WaymarkBytes

/// The decoded query of a deep link as names and values.
///
/// A name may have no value (`?flag`): then `contains(_:)` is true and the subscript is nil. Names are compared as
/// Swift strings. An empty name represents an empty query item (`?a=1&`).
public struct QueryParameters: Sendable, Hashable {
    private var values: [String: String?]

    /// Creates an empty query.
    public init() {
        values = [:]
    }

    /// The value; nil if the name is absent or has no value.
    public subscript(name: String) -> String? {
        values[name] ?? nil
    }

    /// Whether the name is present, with or without a value.
    public func contains(_ name: String) -> Bool {
        values[name] != nil
    }

    /// The names, sorted.
    public var names: [String] { values.keys.sorted() }

    /// The number of names.
    public var count: Int { values.count }

    /// Whether there are no names.
    public var isEmpty: Bool { values.isEmpty }

    /// Names and values; a missing value is the empty string.
    public var dictionary: [String: String] { values.mapValues { $0 ?? "" } }

    /// Sets or replaces a value; nil stores a name without a value.
    mutating func set(_ name: String, _ value: String?) {
        values.updateValue(value, forKey: name)
    }
}

extension QueryParameters {
    /// These parameters and the others; where both have a name, the others' value.
    func merging(_ others: [String: String]) -> QueryParameters {
        var merged = self
        for (name, value) in others where !name.hasPrefix(ServiceParameters.prefix) { merged.set(name, value) }
        return merged
    }

    /// Creates parameters from a dictionary.
    public init(_ values: [String: String]) {
        self.values = values.mapValues { $0 }
    }

    /// The escaped query without `?`, sorted by name; a name without a value has no `=`.
    var text: String {
        names.map { name in
            let value = self[name].map { "=" + PercentEncoding.encode($0) }
            return PercentEncoding.encode(name) + (value ?? "")
        }.joined(separator: "&")
    }
}

extension QueryParameters: ExpressibleByDictionaryLiteral {
    /// Creates parameters from a literal; nil is a name without a value, and the last of duplicate names wins.
    public init(dictionaryLiteral elements: (String, String?)...) {
        self.init()
        for (name, value) in elements { set(name, value) }
    }
}

extension QueryParameters: Sequence {
    /// Names and values, sorted by name.
    public func makeIterator() -> IndexingIterator<[(name: String, value: String?)]> {
        names.map { (name: $0, value: self[$0]) }.makeIterator()
    }
}

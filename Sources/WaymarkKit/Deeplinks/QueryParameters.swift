/// The query of a deep link as names and values, decoded.
///
/// A name may be there without a value (`?flag`): then `contains(_:)` is true and the subscript nil. Names are compared as
/// Swift compares strings. An empty one stands for an empty part of the query (`?a=1&`).
public struct QueryParameters: Sendable, Hashable {
    private var values: [String: String?]

    /// No parameters.
    public init() {
        values = [:]
    }

    /// The value; nil where the name is absent, and where it stands without a value.
    public subscript(name: String) -> String? {
        values[name] ?? nil
    }

    /// Whether the name is there, with a value or without.
    public func contains(_ name: String) -> Bool {
        values[name] != nil
    }

    /// The names, sorted.
    public var names: [String] { values.keys.sorted() }

    /// How many names there are.
    public var count: Int { values.count }

    /// Whether there is no name.
    public var isEmpty: Bool { values.isEmpty }

    /// Names with their values; those without one have the empty string.
    public var dictionary: [String: String] { values.mapValues { $0 ?? "" } }

    /// Sets a value, or with nil a name without one. What was there is replaced.
    mutating func set(_ name: String, _ value: String?) {
        values.updateValue(value, forKey: name)
    }
}

extension QueryParameters {
    /// Parameters from a dictionary.
    public init(_ values: [String: String]) {
        self.values = values.mapValues { $0 }
    }

    /// The items as a query without `?`, escaped, sorted by name; a name without a value has no `=`.
    var text: String {
        names.map { name in
            let value = self[name].map { "=" + PercentEncoding.encoded($0) }
            return PercentEncoding.encoded(name) + (value ?? "")
        }.joined(separator: "&")
    }
}

extension QueryParameters: ExpressibleByDictionaryLiteral {
    /// Parameters that stand in the code; nil is a name without a value, and the last of equal names counts.
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

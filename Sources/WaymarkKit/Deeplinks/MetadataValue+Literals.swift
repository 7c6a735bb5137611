extension MetadataValue: ExpressibleByStringLiteral {
    /// A string that stands in the code.
    public init(stringLiteral value: String) { self = .string(value) }
}

extension MetadataValue: ExpressibleByIntegerLiteral {
    /// An integer that stands in the code.
    public init(integerLiteral value: Int) { self = .integer(value) }
}

extension MetadataValue: ExpressibleByFloatLiteral {
    /// A number that stands in the code.
    public init(floatLiteral value: Double) { self = .double(value) }
}

extension MetadataValue: ExpressibleByBooleanLiteral {
    /// A boolean that stands in the code.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension MetadataValue: ExpressibleByNilLiteral {
    /// `null`.
    public init(nilLiteral: ()) { self = .null }
}

extension MetadataValue: ExpressibleByArrayLiteral {
    /// An array that stands in the code.
    public init(arrayLiteral elements: MetadataValue...) { self = .array(elements) }
}

extension MetadataValue: ExpressibleByDictionaryLiteral {
    /// An object that stands in the code; the last of equal names counts.
    public init(dictionaryLiteral elements: (String, MetadataValue)...) {
        self = .object(Dictionary(elements) { _, last in last })
    }
}

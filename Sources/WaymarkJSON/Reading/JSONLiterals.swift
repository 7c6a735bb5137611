// Values for answers and tests are written as Swift literals: `["state": "active", "clicks": 0, "tags": []]`.

extension JSONValue: ExpressibleByNilLiteral {
    package init(nilLiteral: ()) { self.init(.null) }
}

extension JSONValue: ExpressibleByBooleanLiteral {
    package init(booleanLiteral value: Bool) { self.init(value) }
}

extension JSONValue: ExpressibleByIntegerLiteral {
    package init(integerLiteral value: Int) { self.init(value) }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    package init(stringLiteral value: String) { self.init(value) }
}

extension JSONValue: ExpressibleByArrayLiteral {
    package init(arrayLiteral elements: JSONValue...) { self.init(elements) }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
    /// Members keep the order written; of two with one name the last counts.
    package init(dictionaryLiteral members: (String, JSONValue)...) {
        var object = JSONObject()
        for (name, value) in members { object[name] = value }
        self.init(object)
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// Members keep the order written; of two with one name the last counts.
    package init(dictionaryLiteral members: (String, JSONValue)...) {
        self.init()
        for (name, value) in members { self[name] = value }
    }
}

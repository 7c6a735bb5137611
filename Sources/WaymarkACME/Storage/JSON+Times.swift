import WaymarkJSON

// Times in documents are whole seconds since 1970.

extension JSONWriter {
    mutating func times(_ name: StaticString, _ times: [Int64]) {
        self.name(name)
        beginArray()
        for time in times { integer(Int(time)) }
        endArray()
    }

    /// An object, by the names of its members.
    mutating func times(_ name: StaticString, _ times: [String: Int64]) {
        self.name(name)
        beginObject()
        for (key, time) in times.sorted(by: { $0.key < $1.key }) {
            self.name(given: key)
            integer(Int(time))
        }
        endObject()
    }
}

extension JSONValue {
    /// Those of an array; empty for another value. Members that are no integers are left out.
    var times: [Int64] { array?.compactMap(\.integer).map(Int64.init) ?? [] }

    /// Those of an object; empty for another value. Members that are no integers are left out.
    var timesByName: [String: Int64] {
        var times: [String: Int64] = [:]
        for member in object?.members ?? [] { times[member.name] = member.value.integer.map(Int64.init) }
        return times
    }
}

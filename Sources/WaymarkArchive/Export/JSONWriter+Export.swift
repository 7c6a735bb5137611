import WaymarkBytes
internal import WaymarkJSON
internal import WaymarkLinks

/// Members of an export: those that are missing, empty or zero are omitted.
extension JSONWriter {
    mutating func object(_ name: StaticString, _ write: (inout JSONWriter) -> Void) {
        self.name(name)
        beginObject()
        write(&self)
        endObject()
    }

    mutating func given(_ name: StaticString, _ text: String?) {
        if let text { member(name, text) }
    }

    mutating func number(_ name: StaticString, _ number: Int) {
        if number != 0 { member(name, number) }
    }

    mutating func strings(_ name: StaticString, _ texts: [String]) {
        guard !texts.isEmpty else { return }
        self.name(name)
        beginArray()
        for text in texts { string(text) }
        endArray()
    }

    mutating func texts(_ name: StaticString, _ texts: [String: String]) {
        guard !texts.isEmpty else { return }
        object(name) { writer in
            for (name, text) in texts.sorted(by: { $0.key < $1.key }) { writer.member(given: name, text) }
        }
    }

    /// RFC 3339, or Unix time in milliseconds if RFC 3339 can't represent it.
    mutating func time(_ name: StaticString, _ time: Timestamp?) {
        guard let time else { return }
        let text = time.rfc3339
        if Timestamp(rfc3339: text) == time { member(name, text) } else { member(name, Int(time.rawValue)) }
    }

    /// As text if the bytes are UTF-8, otherwise in hexadecimal under `…Bytes`.
    mutating func bytes(_ name: StaticString, _ bytes: [UInt8]) {
        if let text = String(validating: bytes, as: UTF8.self) {
            member(name, text)
        } else {
            member(given: "\(name)Bytes", Hexadecimal.text(bytes))
        }
    }
}

import WaymarkBytes

extension JSONValue {
    /// The canonical text of all equal values: for fingerprints of bodies that must be compared as parsed JSON.
    ///
    /// Members are sorted by the UTF-8 bytes of their names, strings are written with the fewest escapes, numbers as
    /// digits and a power of ten (`100`, `1e2` and `100.0` are all `1e2`), exact to the last digit. The text is valid
    /// JSON. It is deliberately not RFC 8785, which rounds every number to a `Double` and so treats different ones as
    /// equal.
    package var canonicalBytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(max(64, range.count))
        appendCanonical(to: &bytes)
        return bytes
    }

    private func appendCanonical(to bytes: inout [UInt8]) {
        switch kind {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .bool(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
        case .number(let number): bytes.append(contentsOf: number.canonicalText.utf8)
        case .string(let text): JSONEscaping.append(quoted: text, to: &bytes)
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                element.appendCanonical(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let object):
            let members = object.members.sorted { ExactText($0.name) < ExactText($1.name) }
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                JSONEscaping.append(quoted: member.name, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                member.value.appendCanonical(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }
}

extension JSONNumber {
    /// The canonical text of all numbers with this value: `-42`, `1e2`, `15e-1`, `0`.
    package var canonicalText: String {
        let exact = ExactDecimal(text)
        return (exact.isNegative ? "-" : "") + exact.digits + (exact.exponent == "0" ? "" : "e" + exact.exponent)
    }
}

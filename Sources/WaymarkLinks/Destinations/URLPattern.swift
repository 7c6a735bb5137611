import WaymarkBytes

/// A URL with `:variables` as whole path segments or whole query values, never in scheme, host, query names or fragment.
package struct URLPattern: Hashable, Sendable {
    let url: URLText
    /// In order of appearance.
    let slots: [Slot]

    /// The position of a variable, including its colon.
    struct Slot: Hashable, Sendable {
        let name: String
        let start: UInt16
        let end: UInt16
    }

    /// Nil if the text is not a valid pattern.
    package init?(_ text: String) {
        guard let checked = URLPattern.check(text).value else { return nil }
        self = checked
    }

    private init(url: URLText, slots: [Slot]) {
        self.url = url
        self.slots = slots
    }

    package var text: String { url.text }
    /// Whether the scheme is http or https; all others belong to apps.
    package var isWeb: Bool { url.isWeb }
    package var scheme: URLScheme { URLScheme(url.schemeText) ?? .https }
    package var variables: Set<String> { Set(slots.map(\.name)) }

    static func check(_ text: String) -> Checked<URLPattern> {
        let url: URLText
        switch URLText.check(text) {
        case .problem(let problem): return .problem(problem)
        case .valid(let checked): url = checked
        }
        if url.authorityRange.count > 0, url.slice(url.authorityRange).first == UInt8(ascii: ":") {
            return .problem("must not hold a variable where the host stands")
        }
        var slots: [Slot] = []
        var position = url.pathRange.lowerBound
        for segment in url.slice(url.pathRange).split(separator: 0x2F, omittingEmptySubsequences: false) {
            switch Variable.read(segment) {
            case .none: break
            case .partial: return .problem(partial)
            case .whole(let name):
                slots.append(Slot(name: name, start: UInt16(position), end: UInt16(position + segment.count)))
            }
            position += segment.count + 1
        }
        if let range = url.queryRange {
            position = range.lowerBound
            for pair in url.slice(range).split(separator: 0x26, omittingEmptySubsequences: false) {
                let equals = pair.firstIndex(of: 0x3D)
                if case .none = Variable.read(pair[..<(equals ?? pair.endIndex)]) {
                } else {
                    return .problem("must not hold a variable as a query parameter's name")
                }
                if let equals {
                    let value = pair[pair.index(after: equals)...]
                    switch Variable.read(value) {
                    case .none: break
                    case .partial: return .problem(partial)
                    case .whole(let name):
                        let end = position + pair.count
                        slots.append(Slot(name: name, start: UInt16(end - value.count), end: UInt16(end)))
                    }
                }
                position += pair.count + 1
            }
        }
        if let range = url.fragmentRange {
            let separators: [UInt8] = [0x2F, 0x3F, 0x26, 0x3D]
            for piece in url.slice(range).split(whereSeparator: { separators.contains($0) }) {
                if case .none = Variable.read(piece) {
                } else {
                    return .problem("must not hold a variable in its fragment")
                }
            }
        }
        return .valid(URLPattern(url: url, slots: slots))
    }

    private static let partial = "may hold a variable only as a whole path segment or a whole query value"

    /// The first of these names that follows a colon within a segment, value, host or fragment, where it would not be
    /// replaced: `p-:id`. A colon is an ordinary character there, so a mistake can only be detected if the names are
    /// known.
    func misplaced(_ names: Set<String>) -> String? {
        guard !names.isEmpty else { return nil }
        var rest = Substring(text).utf8[...]
        var position = 0
        while let colon = rest.firstIndex(of: UInt8(ascii: ":")) {
            position += rest.distance(from: rest.startIndex, to: colon)
            rest = rest[rest.index(after: colon)...]
            let name = String(Substring(rest.prefix { $0.isVariableCharacter }))
            if names.contains(name), !slots.contains(where: { $0.start == position }) { return name }
            position += 1
        }
        return nil
    }

    /// The URL with each variable replaced by its value, encoded as one part. A variable without a value is
    /// unchanged; validation ensures that there is none.
    package func fill(_ parameters: [String: String]) -> String {
        guard !slots.isEmpty else { return text }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count + 32)
        appendFilled(parameters, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    func appendFilled(_ parameters: [String: String], to bytes: inout [UInt8]) {
        var copied = 0
        for slot in slots {
            guard let value = parameters[slot.name] else { continue }
            bytes.append(contentsOf: url.slice(copied..<Int(slot.start)))
            PercentEncoding.append(part: value.utf8, to: &bytes)
            copied = Int(slot.end)
        }
        bytes.append(contentsOf: url.slice(copied..<text.utf8.count))
    }
}

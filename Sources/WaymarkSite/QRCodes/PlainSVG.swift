/// Checks that an SVG draws shapes and does nothing else: no scripts, no events, nothing from elsewhere, no entities.
/// What is not known to be harmless is refused, not removed.
struct PlainSVG {
    private static let elements: Set<String> = [
        "svg", "g", "defs", "title", "desc", "style", "path", "rect", "circle", "ellipse", "line", "polyline",
        "polygon", "text", "tspan", "linearGradient", "radialGradient", "stop", "clipPath", "mask", "use", "filter",
        "feBlend", "feColorMatrix", "feComposite", "feDropShadow", "feFlood", "feGaussianBlur", "feMerge",
        "feMergeNode", "feOffset",
    ]
    private static let namespace = "http://www.w3.org/2000/svg"
    private static let depth = 64
    /// Each may draw what the one before draws twice.
    private static let uses = 16

    /// Why a file is refused, as a sentence without a subject.
    struct Failure: Error {
        let problem: String

        init(_ problem: String) { self.problem = problem }
    }

    private let bytes: [UInt8]
    private var position = 0
    private var open: [String] = []
    private var uses = 0

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    static func check(_ bytes: [UInt8]) throws(Failure) {
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw Failure("is neither a PNG nor text in UTF-8")
        }
        var scanner = PlainSVG(bytes)
        try scanner.check()
    }

    private mutating func check() throws(Failure) {
        if starts(with: "\u{FEFF}") { position += 3 }
        // `<?xml-stylesheet` is another instruction.
        if ["<?xml ", "<?xml\t", "<?xml\n", "<?xml\r"].contains(where: { starts(with: $0) }) { try skipDeclaration() }
        var hasRoot = false
        while position < bytes.count {
            guard bytes[position] == UInt8(ascii: "<") else {
                try checkText()
                continue
            }
            // A browser joins the parts of a style sheet.
            if open.last == "style", !starts(with: "</") { throw Failure("must have nothing but text in <style>") }
            if starts(with: "<!--") {
                try skip(past: "-->")
            } else if starts(with: "<!") {
                throw Failure("must have no DOCTYPE, entities or CDATA")
            } else if starts(with: "<?") {
                throw Failure("must have no processing instructions")
            } else if starts(with: "</") {
                position += 2
                let name = try takeName()
                skipSpace()
                guard take(">"), open.popLast() == name else { throw Failure("is no well-formed XML at </\(name)") }
            } else {
                guard !open.isEmpty || !hasRoot else { throw Failure("must have one element <svg>") }
                hasRoot = true
                try readElement()
            }
        }
        guard hasRoot else { throw Failure("is neither a PNG nor an SVG") }
        guard open.isEmpty else { throw Failure("ends inside of <\(open[open.count - 1])>") }
    }

    private mutating func readElement() throws(Failure) {
        position += 1
        let name = try takeName()
        guard Self.elements.contains(name) else {
            throw Failure("must not hold the element <\(name.excerpt)>; save it as plain SVG, with shapes only")
        }
        guard !open.isEmpty || name == "svg" else { throw Failure("must have <svg> as its root") }
        if name == "use" {
            uses += 1
            guard uses <= Self.uses else { throw Failure("holds more than \(Self.uses) elements <use>") }
        }
        var seen: Set<String> = []
        while true {
            let before = position
            skipSpace()
            if take("/>") {
                guard !open.isEmpty || seen.contains("xmlns") else { throw Failure(Self.withoutNamespace) }
                return
            }
            if take(">") { break }
            guard position > before else { throw Failure("is no well-formed XML in <\(name)>") }
            let attribute = try takeName()
            guard seen.insert(attribute).inserted else { throw Failure("has \(attribute.excerpt) twice in <\(name)>") }
            skipSpace()
            guard take("=") else { throw Failure("is no well-formed XML in <\(name)>") }
            skipSpace()
            try Self.check(attribute, takeValue())
        }
        guard !open.isEmpty || seen.contains("xmlns") else { throw Failure(Self.withoutNamespace) }
        guard open.count < Self.depth else { throw Failure("is nested deeper than \(Self.depth) elements") }
        open.append(name)
    }

    private static let withoutNamespace = "must have xmlns=\"\(namespace)\" in <svg>"

    private static func check(_ attribute: String, _ value: String) throws(Failure) {
        let local = (attribute.split(separator: ":").last.map(String.init) ?? attribute).lowercased()
        if attribute == "xmlns" {
            guard value == namespace else { throw Failure(withoutNamespace) }
            return
        }
        guard !attribute.hasPrefix("xmlns:") else { return }
        guard !local.hasPrefix("on") else { throw Failure("must not handle events: \(attribute.excerpt)") }
        guard local != "href" && local != "src" || value.first == "#" else {
            throw Failure("must refer to nothing but its own parts: \(attribute.excerpt)")
        }
        guard local != "base" else { throw Failure("must not hold xml:base") }
        try checkStyle(value)
    }

    /// Attributes and style sheets may name paints of the same file, by `url(#name)`.
    private static func checkStyle(_ text: String) throws(Failure) {
        let plain = text.lowercased().filter { !$0.isWhitespace && $0 != "\"" && $0 != "'" }
        guard !plain.contains("\\"), !plain.contains("/*") else { throw Failure("must not hold \\ or comments of CSS") }
        for name in ["@import", "@font-face", "@namespace", "image(", "image-set(", "src(", "expression(", "script:"]
        where plain.contains(name) {
            throw Failure("must refer to nothing but its own parts: \(name)")
        }
        var rest = plain[...]
        while let found = rest.firstRange(of: "url(") {
            rest = rest[found.upperBound...]
            guard rest.first == "#" else { throw Failure("must refer to nothing but its own parts: url(") }
        }
    }

    // MARK: Text

    private mutating func checkText() throws(Failure) {
        let start = position
        while position < bytes.count, bytes[position] != UInt8(ascii: "<") { position += 1 }
        let text = try Self.decoded(bytes[start..<position])
        guard !open.isEmpty || text.allSatisfy(\.isWhitespace) else { throw Failure("is neither a PNG nor an SVG") }
        if open.last == "style" { try Self.checkStyle(text) }
    }

    private mutating func takeValue() throws(Failure) -> String {
        guard position < bytes.count else { throw Failure("ends inside of an element") }
        let quote = bytes[position]
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            throw Failure("has a value without quotation marks")
        }
        let start = position + 1
        guard let end = bytes[start...].firstIndex(of: quote) else { throw Failure("ends inside of an element") }
        position = end + 1
        guard !bytes[start..<end].contains(UInt8(ascii: "<")) else { throw Failure("has < in a value") }
        return try Self.decoded(bytes[start..<end])
    }

    /// With the references of XML itself; there are no others without a DOCTYPE.
    private static func decoded(_ bytes: ArraySlice<UInt8>) throws(Failure) -> String {
        guard bytes.contains(UInt8(ascii: "&")) else { return String(decoding: bytes, as: UTF8.self) }
        var text = ""
        var rest = bytes
        while let start = rest.firstIndex(of: UInt8(ascii: "&")) {
            text += String(decoding: rest[..<start], as: UTF8.self)
            guard let end = rest[start...].prefix(12).firstIndex(of: UInt8(ascii: ";")) else {
                throw Failure("has & without a reference of XML")
            }
            let name = String(decoding: rest[(start + 1)..<end], as: UTF8.self)
            let known = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]
            if let character = known[name] {
                text += character
            } else if let scalar = Self.scalar(name) {
                text.unicodeScalars.append(scalar)
            } else {
                throw Failure("has a reference that is none of XML's: &\(name.excerpt);")
            }
            rest = rest[(end + 1)...]
        }
        return text + String(decoding: rest, as: UTF8.self)
    }

    private static func scalar(_ name: String) -> Unicode.Scalar? {
        guard name.hasPrefix("#") else { return nil }
        let number = name.hasPrefix("#x") ? UInt32(name.dropFirst(2), radix: 16) : UInt32(name.dropFirst())
        return number.flatMap { $0 == 0 ? nil : Unicode.Scalar($0) }
    }

    // MARK: Parts

    private func starts(with text: String) -> Bool { bytes[position...].starts(with: text.utf8) }

    private mutating func take(_ text: String) -> Bool {
        guard starts(with: text) else { return false }
        position += text.utf8.count
        return true
    }

    private mutating func skipSpace() {
        while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) { position += 1 }
    }

    private mutating func takeName() throws(Failure) -> String {
        let name = bytes[position...].prefix(while: Self.isInName)
        guard !name.isEmpty else { throw Failure("is no well-formed XML") }
        position = name.endIndex
        return String(decoding: name, as: UTF8.self)
    }

    /// Letters, digits and `-_.:` of ASCII.
    private static func isInName(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x3A, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
        default: false
        }
    }

    private mutating func skip(past end: String) throws(Failure) {
        while position < bytes.count {
            if take(end) { return }
            position += 1
        }
        throw Failure("ends before \(end)")
    }

    /// `<?xml version="1.0" encoding="UTF-8"?>`
    private mutating func skipDeclaration() throws(Failure) {
        let start = position
        try skip(past: "?>")
        let declaration = String(decoding: bytes[start..<position], as: UTF8.self).lowercased()
        guard !declaration.contains("encoding") || declaration.contains("utf-8") else {
            throw Failure("must be in UTF-8")
        }
    }
}

extension String {
    fileprivate var excerpt: String { String(prefix(40)) }
}

import WaymarkBytes

/// What separates the parts of a multipart body: 1 to 70 characters (RFC 2046 section 5.1.1).
package struct MultipartBoundary: Sendable, Equatable {
    package let bytes: [UInt8]

    /// - Parameter contentType: the value of `Content-Type`.
    /// - Returns: nil if it is not `multipart/form-data`, or has no boundary.
    package init?(contentType: String) {
        let bytes = Array(contentType.utf8)
        let end = bytes.firstIndex(of: UInt8(ascii: ";")) ?? bytes.count
        let type = String(decoding: bytes[..<end], as: UTF8.self).lowercased()
        guard type.trimmingSpaces == "multipart/form-data",
            let parameters = MultipartHeader.parameters(bytes[end...]), let boundary = parameters["boundary"],
            (1...70).contains(boundary.count), boundary.last != 0x20, boundary.allSatisfy(Self.isAllowed)
        else { return nil }
        self.bytes = boundary
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "'()+_,-./:=? ".utf8.contains(byte)
        }
    }
}

/// The header section of a part (RFC 7578 section 4).
package struct MultipartHeader: Sendable, Equatable {
    /// The field of the form.
    package let name: String
    /// Nil for a part that is not a file.
    package let fileName: String?

    package init(name: String, fileName: String? = nil) {
        self.name = name
        self.fileName = fileName
    }

    /// - Parameter lines: each with its line end.
    init(_ lines: ArraySlice<UInt8>) throws(MultipartParser.Failure) {
        func malformed(_ reason: String) -> MultipartParser.Failure { MultipartParser.Failure(description: reason) }
        var disposition: ArraySlice<UInt8>?
        for var line in lines.split(separator: 0x0A) {
            guard line.popLast() == 0x0D, !line.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }),
                let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
                line[..<colon].allSatisfy({ ASCIISet.token.contains($0) })
            else { throw malformed("a header line of a part is malformed") }
            let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
            let value = line[(colon + 1)...]
            switch name {
            case "content-disposition":
                guard disposition == nil else { throw malformed("a part has two Content-Disposition lines") }
                disposition = value
            case "content-transfer-encoding":
                let encoding = String(decoding: value, as: UTF8.self).trimmingSpaces.lowercased()
                guard ["7bit", "8bit", "binary"].contains(encoding) else {
                    throw malformed("a part has a Content-Transfer-Encoding, which forms don't have")
                }
            default: break
            }
        }
        guard let disposition else { throw malformed("a part has no Content-Disposition") }
        let end = disposition.firstIndex(of: UInt8(ascii: ";")) ?? disposition.endIndex
        let type = String(decoding: disposition[..<end], as: UTF8.self).trimmingSpaces.lowercased()
        guard type == "form-data", let parameters = Self.parameters(disposition[end...]),
            let name = parameters["name"]
        else { throw malformed("a part's Content-Disposition is not form-data with a name") }
        self.name = Self.text(name)
        fileName = parameters["filename"].map(Self.text)
    }

    /// `; name=value; name="value"`, names in lower case; nil if it is anything else, or names one twice.
    static func parameters(_ bytes: ArraySlice<UInt8>) -> [String: [UInt8]]? {
        var parameters: [String: [UInt8]] = [:]
        var rest = bytes.trimmingSpaces
        while !rest.isEmpty {
            guard rest.popFirst() == UInt8(ascii: ";") else { return nil }
            rest = rest.trimmingSpaces
            // A semicolon at the end.
            if rest.isEmpty { break }
            let name = rest.prefix { ASCIISet.token.contains($0) }
            rest = rest.dropFirst(name.count)
            guard !name.isEmpty, rest.popFirst() == UInt8(ascii: "="), let value = value(&rest) else { return nil }
            let key = String(decoding: name, as: UTF8.self).lowercased()
            guard parameters.updateValue(value, forKey: key) == nil else { return nil }
            rest = rest.trimmingSpaces
        }
        return parameters
    }

    /// A token, or a quoted string. Browsers write a quotation mark as `%22`, older clients as `\"`; any other backslash
    /// belongs to a name of a file on Windows.
    private static func value(_ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
        guard rest.first == UInt8(ascii: "\"") else {
            let token = rest.prefix { ASCIISet.token.contains($0) }
            rest = rest.dropFirst(token.count)
            return token.isEmpty ? nil : Array(token)
        }
        rest = rest.dropFirst()
        var value: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\"") { return value }
            if byte == UInt8(ascii: "\\"), let next = rest.first, next == UInt8(ascii: "\"") || next == byte {
                rest = rest.dropFirst()
                value.append(next)
            } else {
                value.append(byte)
            }
        }
        return nil
    }

    private static func text(_ bytes: [UInt8]) -> String {
        String(decoding: bytes, as: UTF8.self)
            .replacing("%22", with: "\"").replacing("%0D", with: "\r").replacing("%0A", with: "\n")
    }
}

extension ArraySlice<UInt8> {
    fileprivate var trimmingSpaces: ArraySlice<UInt8> {
        var bytes = self
        while let first = bytes.first, first == 0x20 || first == 0x09 { bytes.removeFirst() }
        while let last = bytes.last, last == 0x20 || last == 0x09 { bytes.removeLast() }
        return bytes
    }
}

extension String {
    fileprivate var trimmingSpaces: String { String(decoding: Array(utf8)[...].trimmingSpaces, as: UTF8.self) }
}

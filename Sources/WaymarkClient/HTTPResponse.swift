import WaymarkBytes
import WaymarkHTTP
import WaymarkSockets

/// The response of another server.
package struct HTTPResponse: Sendable {
    package var status: Int
    /// In the order received. Bytes that are not UTF-8 are decoded as Latin-1.
    package var fields: [(name: String, value: String)]
    package var body: [UInt8]
    /// Whether the body was longer than the request's limit.
    package var isCutOff = false

    package init(status: Int, fields: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// The first value of a field, by its case-insensitive name.
    package subscript(name: String) -> String? {
        fields.first { $0.name.utf8.elementsEqual(name.utf8) { $0.lowercasedASCII == $1.lowercasedASCII } }?.value
    }

    package var isSuccess: Bool { (200..<300).contains(status) }

    // MARK: Retry-After

    /// Maximum wait: 7 days (in seconds). Longer ones are cut to it.
    package static let longestWait = 7 * 86_400

    /// How many seconds the server asks to wait (`Retry-After`, RFC 9110 section 10.2.3); nil if it gives neither a number of
    /// seconds nor a date.
    package var retryAfter: Int? { retryAfter(now: WallClock.milliseconds() / 1_000) }

    /// - Parameter now: in seconds since 1970.
    package func retryAfter(now: Int64) -> Int? {
        guard let text = self["Retry-After"], !text.isEmpty else { return nil }
        if text.utf8.allSatisfy({ $0.isDigit }) { return min(Self.longestWait, Int(text) ?? Self.longestWait) }
        let bytes = Array(text.utf8)
        guard let date = HTTPDate(bytes.span, ByteRange(0, bytes.count), reference: now) else { return nil }
        return Int(min(Int64(Self.longestWait), max(0, date.unixSeconds - now)))
    }
}

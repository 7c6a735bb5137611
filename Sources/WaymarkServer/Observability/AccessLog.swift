import WaymarkHTTP

/// Where lines about answered requests go. Isolation: the loop it was made on; must not block.
package protocol AccessLog: AnyObject {
    var scope: AccessLogScope { get }
    /// Takes one line, the line feed at its end included; it must be copied.
    func write(_ line: Span<UInt8>)
}

/// Which requests an access log hears of. Quiet are the routes that their handler calls so.
package enum AccessLogScope: Sendable, Equatable {
    /// All of them.
    case all
    /// Of those to quiet routes one in so many, and all others.
    case sampled(oneIn: Int)
    /// Of those to quiet routes only what the server failed to answer (5xx), and all others.
    case withoutQuiet

    /// Of the requests to quiet routes one in so many; 0 where none.
    var quietInterval: Int {
        switch self {
        case .all: 1
        case .sampled(let interval): max(1, interval)
        case .withoutQuiet: 0
        }
    }
}

/// What is told of a request that is answered later, kept until then.
struct AccessLogEntry: Sendable {
    let method: String
    /// Without the query.
    let path: [UInt8]
    let host: [UInt8]
    let userAgent: [UInt8]
    /// Whether it is one of the sample of a quiet route's, or none of a quiet route.
    let isWanted: Bool

    /// Of what is no request, or none that could be read.
    static let unreadable = AccessLogEntry(method: "", path: [], host: [], userAgent: [], isWanted: true)
}

/// Spells lines of the access log: one JSON object each, whatever bytes a client has sent.
///
/// Written straight into one buffer for each loop, because a line is made for every request where all are logged.
/// Of what a client sends only the path, the host and the User-Agent are told: a query may hold what its sender holds for
/// private, and fields may hold keys. Isolation: its loop only.
final class AccessLogLine {
    /// What is known when the answer is made.
    struct Outcome {
        let status: Int
        let bodyBytes: Int
        let nanoseconds: Int
        /// Stands for so many requests; 1 where every one has its line.
        let oneIn: Int
        /// Empty where the request has none.
        var requestID: [UInt8] = []
    }

    private let buffer = ByteBuffer(capacity: 1_024)
    /// `{"time":"2026-11-21T10:00:00.`, made anew once a second.
    private var prefix: [UInt8] = []
    private var prefixSecond = Int64.min

    /// The line, to be used before the next is made.
    ///
    /// - Parameters:
    ///   - unixMilliseconds: now.
    ///   - path: of the target, without the query.
    func make(
        unixMilliseconds: Int64, peer: Peer, method: String, path: Span<UInt8>, host: Span<UInt8>,
        userAgent: Span<UInt8>, route: RequestRoute, _ outcome: Outcome
    ) -> ByteBuffer {
        buffer.removeAll()
        // A clock before 1970 is wrong, and no reason to write what no reader of dates understands.
        let (second, millisecond) = max(0, unixMilliseconds).quotientAndRemainder(dividingBy: 1_000)
        if second != prefixSecond {
            prefix = Array("{\"time\":\"\(UTCTime(unixSeconds: second))".utf8) + [UInt8(ascii: ".")]
            prefixSecond = second
        }
        buffer.append(prefix)
        for divisor: Int64 in [100, 10, 1] { buffer.append(UInt8(millisecond / divisor % 10) + 0x30) }
        buffer.append("Z\",\"client\":\"" as StaticString)
        buffer.append(peer.addressText)
        buffer.append("\",\"method\":\"" as StaticString)
        buffer.append(method)
        buffer.append("\",\"path\":\"" as StaticString)
        append(escaping: path)
        buffer.append("\",\"route\":\"" as StaticString)
        buffer.append(route.path)
        buffer.append("\",\"host\":\"" as StaticString)
        append(escaping: host)
        buffer.append("\",\"userAgent\":\"" as StaticString)
        append(escaping: userAgent)
        buffer.append("\",\"status\":" as StaticString)
        buffer.append(decimal: UInt64(clamping: outcome.status))
        buffer.append(",\"bytes\":" as StaticString)
        buffer.append(decimal: UInt64(clamping: outcome.bodyBytes))
        buffer.append(",\"microseconds\":" as StaticString)
        buffer.append(decimal: UInt64(clamping: outcome.nanoseconds / 1_000))
        if outcome.oneIn > 1 {
            buffer.append(",\"oneIn\":" as StaticString)
            buffer.append(decimal: UInt64(clamping: outcome.oneIn))
        }
        if !outcome.requestID.isEmpty {
            buffer.append(",\"requestID\":\"" as StaticString)
            append(escaping: outcome.requestID.span)
            buffer.append(UInt8(ascii: "\""))
        }
        buffer.append("}\n" as StaticString)
        return buffer
    }

    /// Nothing that a client sends ends the string, the line or the terminal's mood.
    private func append(escaping bytes: Span<UInt8>) {
        for index in bytes.indices {
            let byte = bytes[index]
            guard byte >= 0x20, byte < 0x7F, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") else {
                return append(escapingText: bytes)
            }
        }
        buffer.append(bytes)
    }

    /// For what is not plain ASCII: bytes that are no UTF-8 become U+FFFD, control characters of all kinds are escaped.
    private func append(escapingText bytes: Span<UInt8>) {
        // unsafe because a pointer is lent; the copy is made before it ends.
        let text = unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x22, 0x5C:
                buffer.append(UInt8(ascii: "\\"))
                buffer.append(UInt8(truncatingIfNeeded: scalar.value))
            case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069:
                let digits = String(scalar.value, radix: 16)
                buffer.append("\\u" as StaticString)
                buffer.append(String(repeating: "0", count: 4 - digits.utf8.count) + digits)
            default: buffer.append(String(scalar))
            }
        }
    }
}

/// A moment as `2026-11-21T10:00:00`.
private struct UTCTime: CustomStringConvertible {
    let unixSeconds: Int64

    var description: String {
        let (date, time) = (unixSeconds / 86_400, unixSeconds % 86_400)
        // Days since the first of March of the year 0, in cycles of 400 years of the Gregorian calendar.
        let shifted = date + 719_468
        let (era, dayOfEra) = (shifted / 146_097, shifted % 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(year)-\(two(month))-\(two(day))T\(two(time / 3_600)):\(two(time / 60 % 60)):\(two(time % 60))"
    }
}

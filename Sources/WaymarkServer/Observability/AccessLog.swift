import WaymarkBytes
import WaymarkHTTP

/// The destination of lines about answered requests. Isolation: the loop it was made on; must not block.
package protocol AccessLog: AnyObject {
    var scope: AccessLogScope { get }
    var format: AccessLogFormat { get }
    /// Writes one line, including its line feed; the implementation must copy it.
    func write(_ line: Span<UInt8>)
}

/// Which requests are logged. The handler declares routes as quiet or as probes. Unless everything is logged, probes are
/// logged only when they fail (5xx).
package enum AccessLogScope: Sendable, Equatable {
    /// All of them.
    case all
    /// All requests to other routes, and one in this many to quiet routes.
    case sampled(oneIn: Int)
    /// All requests to other routes, and only server errors (5xx) of quiet routes.
    case withoutQuiet

    /// One in this many requests to quiet routes is logged; 0 for none.
    var quietInterval: Int {
        switch self {
        case .all: 1
        case .sampled(let interval): max(1, interval)
        case .withoutQuiet: 0
        }
    }
}

extension AccessLog {
    package var format: AccessLogFormat { .json }
}

/// The log's fields of a request that is answered later.
struct AccessLogEntry: Sendable {
    let method: String
    /// Without the query.
    let path: [UInt8]
    let host: [UInt8]
    let userAgent: [UInt8]
    /// Only where the format has it.
    /// Whether the request is logged: its route is not quiet, or it was sampled.
    let isWanted: Bool
    /// Only where the format has it.
    var referrer: [UInt8] = []
    var minorVersion = 1

    /// For input that is not a readable request.
    static let unreadable = AccessLogEntry(method: "", path: [], host: [], userAgent: [], isWanted: true)
}

/// Formats lines of the access log, one for each request, whatever bytes a client has sent.
///
/// Written directly into one buffer for each loop, because every request may have a line. Of the client's input only
/// the path, the host, the User-Agent and, if the format has it, the referrer's URL are logged: queries may hold private
/// data, and other fields may hold keys.
/// Isolation: its loop only.
final class AccessLogLine {
    /// The values known when the response is made.
    struct Outcome {
        let status: Int
        let bodyBytes: Int
        let nanoseconds: Int
        /// The number of requests this line represents; 1 if every request is logged.
        let oneIn: Int
        /// Empty if the request has none.
        var requestID: [UInt8] = []
    }

    let format: AccessLogFormat
    let buffer = ByteBuffer(capacity: 1_024)
    /// `{"time":"2026-11-21T10:00:00.`, refreshed once a second.
    private var prefix: [UInt8] = []
    private var prefixSecond = Int64.min

    init(_ format: AccessLogFormat) { self.format = format }

    /// The line; valid until the next call.
    ///
    /// - Parameters:
    ///   - unixMilliseconds: now.
    ///   - path: of the target, without the query.
    ///   - referrer: as sent; empty if the format lacks it.
    func make(
        unixMilliseconds: Int64, peer: Peer, method: String, path: Span<UInt8>, host: Span<UInt8>,
        userAgent: Span<UInt8>, referrer: Span<UInt8>, minorVersion: Int, route: RequestRoute, _ outcome: Outcome
    ) -> ByteBuffer {
        buffer.removeAll()
        // A clock before 1970 is wrong; it must not produce dates that no parser accepts.
        let (second, millisecond) = max(0, unixMilliseconds).quotientAndRemainder(dividingBy: 1_000)
        if second != prefixSecond {
            let time = UTCTime(unixSeconds: second)
            prefix = Array(format == .combined ? " - - [\(time.commonLogFormat)] \"".utf8 : "{\"time\":\"\(time).".utf8)
            prefixSecond = second
        }
        if format == .combined {
            buffer.append(peer.addressText)
            buffer.append(prefix)
            appendCombined(
                method: method, path: path, userAgent: userAgent, referrer: referrer, minorVersion: minorVersion,
                outcome)
            return buffer
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
        if format == .jsonFull {
            buffer.append("\",\"referrer\":\"" as StaticString)
            append(escaping: referrer.extracting(Self.publicPart(ofReferrer: referrer)))
            buffer.append(minorVersion == 0 ? "\",\"protocol\":\"HTTP/1.0" : "\",\"protocol\":\"HTTP/1.1")
        }
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

    /// No bytes of a client can end the string or the line, or control the terminal.
    private func append(escaping bytes: Span<UInt8>) {
        for index in bytes.indices {
            let byte = bytes[index]
            guard byte >= 0x20, byte < 0x7F, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") else {
                return append(escapingText: bytes)
            }
        }
        buffer.append(bytes)
    }

    /// For non-ASCII bytes: invalid UTF-8 becomes U+FFFD, all control characters are escaped.
    private func append(escapingText bytes: Span<UInt8>) {
        // unsafe because a pointer is lent; the copy is made before the call returns.
        let text = unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x22, 0x5C:
                buffer.append(UInt8(ascii: "\\"))
                buffer.append(UInt8(truncatingIfNeeded: scalar.value))
            case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069:
                buffer.append("\\u" as StaticString)
                buffer.append(Hexadecimal.text(UInt64(scalar.value), width: 4))
            default: buffer.append(String(scalar))
            }
        }
    }
}

/// A time as `2026-11-21T10:00:00`.
private struct UTCTime: CustomStringConvertible {
    let unixSeconds: Int64

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    var description: String { "\(date.year)-\(two(date.month))-\(two(date.day))T\(clock)" }

    /// As `21/Nov/2026:10:00:00 +0000`.
    var commonLogFormat: String {
        "\(two(date.day))/\(Self.months[Int(date.month) - 1])/\(date.year):\(clock) +0000"
    }

    private var date: CivilDate { CivilDate(daysSince1970: unixSeconds / 86_400) }

    private var clock: String {
        let time = unixSeconds % 86_400
        return "\(two(time / 3_600)):\(two(time / 60 % 60)):\(two(time % 60))"
    }

    private func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

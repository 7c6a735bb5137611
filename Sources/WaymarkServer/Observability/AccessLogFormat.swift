import WaymarkBytes
import WaymarkHTTP

/// The form of the access log's lines.
package enum AccessLogFormat: String, CaseIterable, Sendable {
    /// One JSON object.
    case json
    /// Apache's and nginx's Combined Log Format, for their tools.
    case combined
    /// The JSON object with `referrer` and `protocol`.
    case jsonFull = "json-full"

    var hasReferrer: Bool { self != .json }
}

extension AccessLogLine {
    /// The rest of a line in Combined Log Format, from the request line on: `GET /a HTTP/1.1" 302 0 "-" "Mozilla…"`.
    func appendCombined(
        method: String, path: Span<UInt8>, userAgent: Span<UInt8>, referrer: Span<UInt8>, minorVersion: Int,
        _ outcome: Outcome
    ) {
        if method.isEmpty {
            buffer.append(UInt8(ascii: "-"))
        } else {
            buffer.append(method)
            buffer.append(UInt8(ascii: " "))
            append(escapingCombined: path)
            buffer.append(minorVersion == 0 ? " HTTP/1.0" : " HTTP/1.1")
        }
        buffer.append("\" " as StaticString)
        buffer.append(decimal: UInt64(clamping: outcome.status))
        buffer.append(UInt8(ascii: " "))
        buffer.append(decimal: UInt64(clamping: outcome.bodyBytes))
        buffer.append(" \"" as StaticString)
        append(orDash: referrer.extracting(Self.publicPart(ofReferrer: referrer)))
        buffer.append("\" \"" as StaticString)
        append(orDash: userAgent)
        buffer.append("\"\n" as StaticString)
    }

    private func append(orDash bytes: Span<UInt8>) {
        if bytes.isEmpty { buffer.append(UInt8(ascii: "-")) } else { append(escapingCombined: bytes) }
    }

    /// As nginx and Apache write them: `"`, `\`, control characters and bytes beyond ASCII as `\x22`. So no client can
    /// end a field or a line.
    private func append(escapingCombined bytes: Span<UInt8>) {
        for index in bytes.indices {
            let byte = bytes[index]
            if byte >= 0x20, byte < 0x7F, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
                buffer.append(byte)
            } else {
                buffer.append("\\x" as StaticString)
                buffer.append(Hexadecimal.text(UInt64(byte), width: 2))
            }
        }
    }

    /// The referrer without query and fragment; nothing of one with a user name or password.
    static func publicPart(ofReferrer referrer: Span<UInt8>) -> Range<Int> {
        var slashes = 0
        for index in referrer.indices {
            switch referrer[index] {
            case UInt8(ascii: "?"), UInt8(ascii: "#"): return 0..<index
            case UInt8(ascii: "/"): slashes += 1
            case UInt8(ascii: "@") where slashes < 3: return 0..<0
            default: break
            }
        }
        return 0..<referrer.count
    }
}

package import WaymarkLinks

/// Reads times as exports of other services write them.
package struct ForeignTime: Sendable {
    /// Seconds east of UTC at a local time, given as if it were UTC; for times that say no zone themselves.
    package var offset: @Sendable (_ local: Timestamp) -> Int64

    package init(offset: @escaping @Sendable (_ local: Timestamp) -> Int64 = { _ in 0 }) { self.offset = offset }

    /// RFC 3339, `2020-10-26T17:20:40+0000`, `2020-10-26 17:20:40`, `2020-10-26`, or seconds, milliseconds or microseconds since 1970.
    /// Nil for anything else.
    package func timestamp(_ text: String) -> Timestamp? {
        if let moment = Timestamp(rfc3339: text) { return moment }
        var bytes = Array(text.utf8)
        if let moment = Self.moment(ofNumber: bytes) { return moment }
        guard bytes.count >= 10, bytes[4] == UInt8(ascii: "-") else { return nil }
        if bytes.suffix(4).elementsEqual(" UTC".utf8) || bytes.suffix(4).elementsEqual(" GMT".utf8) {
            bytes.removeLast(4)
            bytes.append(UInt8(ascii: "Z"))
        }
        if bytes.count == 10 { bytes += Array("T00:00:00".utf8) }
        guard bytes.count >= 16 else { return nil }
        if bytes[10] == 0x20 { bytes[10] = UInt8(ascii: "T") }
        if bytes.count == 16 { bytes += Array(":00".utf8) }
        if let sign = bytes[19...].lastIndex(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }) {
            if sign > 19, bytes[sign - 1] == 0x20 {
                bytes.remove(at: sign - 1)
                return timestamp(String(decoding: bytes, as: UTF8.self))
            }
            // `+0000` and `+00`.
            if bytes.count - sign == 3 { bytes += Array("00".utf8) }
            if bytes.count - sign == 5 { bytes.insert(UInt8(ascii: ":"), at: sign + 3) }
            return Timestamp(rfc3339: String(decoding: bytes, as: UTF8.self))
        }
        if bytes.last == UInt8(ascii: "Z") { return Timestamp(rfc3339: String(decoding: bytes, as: UTF8.self)) }
        bytes.append(UInt8(ascii: "Z"))
        guard let local = Timestamp(rfc3339: String(decoding: bytes, as: UTF8.self)) else { return nil }
        return local.advanced(byMilliseconds: -offset(local) * 1_000)
    }

    private static func moment(ofNumber bytes: [UInt8]) -> Timestamp? {
        let digits = bytes.prefix { (0x30...0x39).contains($0) }
        guard (8...17).contains(digits.count) else { return nil }
        // A fraction of seconds is dropped.
        if digits.count < bytes.count {
            let rest = bytes[digits.count...]
            guard rest.first == UInt8(ascii: "."), rest.dropFirst().allSatisfy({ (0x30...0x39).contains($0) }) else {
                return nil
            }
        }
        guard let number = Int64(String(decoding: digits, as: UTF8.self)) else { return nil }
        switch digits.count {
        case ...11: return Timestamp(seconds: number)
        case ...14: return Timestamp(rawValue: number)
        default: return Timestamp(rawValue: number / 1_000)
        }
    }
}

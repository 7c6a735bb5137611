import WaymarkBytes
import WaymarkHTTP
import WaymarkTLS

/// Assigns request IDs, which link a response to its line in the access log: the client's own ID, or 128 random bits.
///
/// Isolation: its loop only. Random bytes are drawn for many IDs at a time.
final class RequestIDs {
    private static let field = HeaderName("X-Request-ID")
    private static let longest = 128
    private static let randomCount = 16
    private static let drawnCount = 256 * randomCount

    private let paths: [UInt8]
    private var random: [UInt8] = []

    /// - Parameter paths: path prefix of the requests that get an ID; empty for none.
    init(paths: String) {
        self.paths = Array(paths.utf8)
    }

    /// Empty for a request without an ID.
    func id(of head: RequestHead, in bytes: Span<UInt8>) -> [UInt8] {
        guard !paths.isEmpty, isIdentified(bytes.extracting(head.path.indices)) else { return [] }
        return given(head, bytes) ?? fresh()
    }

    private func isIdentified(_ path: Span<UInt8>) -> Bool {
        guard path.count >= paths.count else { return false }
        for (index, byte) in paths.enumerated() where path[index] != byte { return false }
        return true
    }

    /// The client's ID: 1 to 128 visible ASCII characters, in a single field.
    private func given(_ head: RequestHead, _ bytes: Span<UInt8>) -> [UInt8]? {
        guard let name = Self.field else { return nil }
        var found: [UInt8]?
        for position in 0..<head.fieldCount where name.matches(bytes, head.field(at: position).name) {
            guard found == nil else { return nil }
            found = bytes.copy(head.field(at: position).value)
        }
        guard let found, (1...Self.longest).contains(found.count), found.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        return found
    }

    /// 32 hexadecimal digits.
    private func fresh() -> [UInt8] {
        if random.isEmpty { random = SecureRandom.bytes(count: Self.drawnCount) }
        let id = Hexadecimal.digits(random.suffix(Self.randomCount))
        random.removeLast(Self.randomCount)
        return id
    }

    /// The field line, including its CRLF.
    static func line(_ id: [UInt8]) -> [UInt8] { Array("X-Request-ID: ".utf8) + id + Array("\r\n".utf8) }
}

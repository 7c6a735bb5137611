import WaymarkBytes
import WaymarkHTTP
import WaymarkStores

extension AssociationFetcher {
    /// The token with which a service's User-Agents name it, in lower case.
    private var token: StaticString {
        switch self {
        case .apple: "aasa-bot"
        case .google: "googleassociationservice"
        }
    }

    /// The service that a request's User-Agent names; nil if it names none. Anyone can send it.
    init?(_ head: RequestHead, in bytes: Span<UInt8>) {
        guard let value = head.value(.userAgent) else { return nil }
        self.init(userAgent: bytes.extracting(value.indices))
    }

    /// - Parameter userAgent: one of its tokens (RFC 9110 section 5.6.2) names the service, in any case, also within a comment:
    ///   `AASA-Bot/1.0.0`, `Mozilla/5.0 (compatible; GoogleAssociationService)`. A longer token is another name.
    init?(userAgent: Span<UInt8>) {
        var start = 0
        for position in 0...userAgent.count {
            if position < userAgent.count, ASCIISet.token.contains(userAgent[position]) { continue }
            let length = position - start
            for fetcher in Self.allCases where fetcher.token.utf8CodeUnitCount == length {
                if Self.equals(userAgent, start, fetcher.token) {
                    self = fetcher
                    return
                }
            }
            start = position + 1
        }
        return nil
    }

    private static func equals(_ bytes: Span<UInt8>, _ start: Int, _ token: StaticString) -> Bool {
        var position = start
        for byte in token.description.utf8 {
            let isLetter = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(bytes[position])
            guard (isLetter ? bytes[position] | 0x20 : bytes[position]) == byte else { return false }
            position += 1
        }
        return true
    }
}

import WaymarkHTTP
import WaymarkLinks
import WaymarkServer

/// What a request tells of its click, before anything is left out.
struct ClickTraits: Sendable {
    let kind: VisitorClass
    let isProfiled: Bool
    let country: CountryCode?
    let language: LanguageTag?
    let referrerHost: Click.Name?
    let address: (high: UInt64, low: UInt64)

    /// - Parameters:
    ///   - countryField: where a trusted proxy names the visitor's country.
    ///   - memory: of requests before; nil reads everything anew.
    @inline(__always)
    init(
        _ head: RequestHead, _ bytes: Span<UInt8>, from peer: Peer, _ kind: VisitorClass, countryField: HeaderName?,
        memory: Memory? = nil
    ) {
        self.kind = kind
        isProfiled = !VisitDetails.asksNotToBeFollowed(head, bytes)
        country = countryField == nil ? nil : VisitDetails.country(countryField, head, bytes, from: peer)
        language = Self.value(.acceptLanguage, head, bytes, memory?.languages) {
            VisitDetails.language(head, bytes).flatMap { LanguageTag($0) }
        }
        referrerHost = Self.value(.referer, head, bytes, memory?.referrers) {
            VisitDetails.referrerHost(head, bytes).map { Click.Name($0.text) }
        }
        let (high, low) = peer.addressBits
        address = (high, peer.isIPv4 ? low : 0)
    }

    @inline(__always)
    private static func value<Value>(
        _ field: RequestField, _ head: RequestHead, _ bytes: Span<UInt8>, _ memory: TextCache<Value?>?,
        read: () -> Value?
    ) -> Value? {
        guard let range = head.value(field) else { return nil }
        guard let memory else { return read() }
        return memory.value(of: bytes.extracting(range.indices), read: read)
    }

    @inline(__always)
    func click(
        of link: LinkID, at time: Timestamp, to destination: Click.Destination, campaign: Click.Name?
    ) -> Click {
        Click(
            link: link, time: time, kind: kind, destination: destination, isProfiled: isProfiled, country: country,
            language: language, referrerHost: referrerHost, campaign: campaign, address: address)
    }

    /// What the requests of one event loop said, so that most need not be read again.
    final class Memory {
        let languages = TextCache<LanguageTag?>()
        let referrers = TextCache<Click.Name?>()
    }
}

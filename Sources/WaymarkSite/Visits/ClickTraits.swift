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

    /// - Parameter countryField: where a trusted proxy names the visitor's country.
    init(
        _ head: RequestHead, _ bytes: Span<UInt8>, from peer: Peer, _ kind: VisitorClass, countryField: HeaderName?
    ) {
        self.kind = kind
        isProfiled = !VisitDetails.asksNotToBeFollowed(head, bytes)
        country = VisitDetails.country(countryField, head, bytes, from: peer)
        language = VisitDetails.language(head, bytes).flatMap { LanguageTag($0) }
        referrerHost = VisitDetails.referrerHost(head, bytes).map { Click.Name($0.text) }
        let (high, low) = peer.addressBits
        address = (high, peer.isIPv4 ? low : 0)
    }

    func click(
        of link: LinkID, at time: Timestamp, to destination: Click.Destination, campaign: Click.Name?
    ) -> Click {
        Click(
            link: link, time: time, kind: kind, destination: destination, isProfiled: isProfiled, country: country,
            language: language, referrerHost: referrerHost, campaign: campaign, address: address)
    }

    /// What the requests of one event loop said in the fields that tell most, so that they need not be read again.
    ///
    /// Isolation: confined to the thread of its event loop.
    final class Memory {
        private let languages = TextCache<LanguageTag?>()
        private let referrers = TextCache<Click.Name?>()

        @inline(__always)
        func language(_ head: RequestHead, _ bytes: Span<UInt8>) -> LanguageTag? {
            guard let range = head.value(.acceptLanguage) else { return nil }
            return languages.value(of: bytes.extracting(range.indices)) {
                VisitDetails.language(head, bytes).flatMap { LanguageTag($0) }
            }
        }

        @inline(__always)
        func referrerHost(_ head: RequestHead, _ bytes: Span<UInt8>) -> Click.Name? {
            guard let range = head.value(.referer) else { return nil }
            return referrers.value(of: bytes.extracting(range.indices)) {
                VisitDetails.referrerHost(head, bytes).map { Click.Name($0.text) }
            }
        }
    }
}

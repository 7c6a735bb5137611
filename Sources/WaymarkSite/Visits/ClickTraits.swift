import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkService

/// The properties of a click from its request, before anonymisation.
struct ClickTraits: Sendable {
    let kind: VisitorClass
    let isProfiled: Bool
    let country: CountryCode?
    let language: LanguageTag?
    var referrerHost: Click.Name?
    let subscriber: UInt64

    /// - Parameters:
    ///   - countryField: the field in which a trusted proxy sends the visitor's country.
    ///   - countries: used if the proxy does not send it.
    init(
        _ head: RequestHead, _ bytes: Span<UInt8>, from peer: Peer, _ kind: VisitorClass, countryField: HeaderName?,
        countries: Countries? = nil
    ) {
        self.kind = kind
        isProfiled = !VisitDetails.asksNotToBeFollowed(head, bytes)
        country =
            VisitDetails.country(countryField, head, bytes, from: peer) ?? countries?.current?(peer.subscriberNumber)
        language = VisitDetails.language(head, bytes).flatMap { LanguageTag($0) }
        referrerHost = VisitDetails.referrer(head, bytes)
        subscriber = peer.subscriberNumber
    }

    func click(
        of link: LinkID, at time: Timestamp, to destination: Click.Destination, campaign: Click.Name?, rule: ClickRule,
        detail: ClickDetail
    ) -> Click {
        Click(
            link: link, time: time, kind: kind, destination: destination, isProfiled: isProfiled, country: country,
            language: language, referrerHost: referrerHost, campaign: campaign, rule: rule,
            subscriber: subscriber, detail: detail)
    }

    /// Caches the parsed values of the header fields with the most repetition on one event loop.
    ///
    /// Isolation: confined to the thread of its event loop.
    final class Memory {
        private let languages = TextCache<LanguageTag?>()
        private let pageLanguages = TextCache<PageLanguage>()
        private let referrers = TextCache<Click.Name?>()
        private lazy var campaigns = TextCache<Click.Name?>()

        @inline(__always)
        func language(_ head: RequestHead, _ bytes: Span<UInt8>) -> LanguageTag? {
            guard let range = head.value(.acceptLanguage) else { return nil }
            return languages.value(of: bytes.extracting(range.indices)) {
                VisitDetails.language(head, bytes).flatMap { LanguageTag($0) }
            }
        }

        func pageLanguage(_ head: RequestHead, _ bytes: Span<UInt8>) -> PageLanguage {
            guard let range = head.value(.acceptLanguage) else { return .english }
            // Repeated fields are not a single text that could be looked up.
            if head.isRepeated(.acceptLanguage) { return PageLanguage(head, bytes) }
            return pageLanguages.value(of: bytes.extracting(range.indices)) { PageLanguage(head, bytes) }
        }

        @inline(__always)
        func referrerHost(_ head: RequestHead, _ bytes: Span<UInt8>) -> Click.Name? {
            guard let range = head.value(.referer) else { return nil }
            return referrers.value(of: bytes.extracting(range.indices)) { VisitDetails.referrer(head, bytes) }
        }

        /// - Parameter value: of `utm_campaign`, as it is in the query.
        func campaign(_ value: Span<UInt8>) -> Click.Name? {
            campaigns.value(of: value) { Click.Name(campaign: value) }
        }
    }
}

extension Peer {
    /// A number that identifies the subscriber (`Click.subscriber`).
    @inline(__always)
    var subscriberNumber: UInt64 {
        let (high, low) = addressBits
        return isIPv4 ? low : high
    }
}

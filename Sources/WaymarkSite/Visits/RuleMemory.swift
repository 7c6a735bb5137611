import WaymarkBytes
import WaymarkHTTP
import WaymarkLinks

/// Caches the parsed values of the header fields that rules look at, on one event loop.
///
/// Isolation: confined to the thread of its event loop.
final class RuleMemory {
    typealias Referrer = (host: HostName?, app: String?)

    private let languages = TextCache<String?>()
    private let referrers = TextCache<Referrer>()

    /// The preferred language in lower case, as rules compare it.
    func language(_ head: RequestHead, _ bytes: Span<UInt8>) -> String? {
        guard let range = head.value(.acceptLanguage) else { return nil }
        // Repeated fields are not a single text that could be looked up.
        if head.isRepeated(.acceptLanguage) { return VisitDetails.language(head, bytes) }
        return languages.value(of: bytes.extracting(range.indices)) {
            VisitDetails.language(head, bytes)?.asciiLowercased
        }
    }

    func referrer(_ head: RequestHead, _ bytes: Span<UInt8>) -> Referrer {
        guard let range = head.value(.referer) else { return (nil, nil) }
        return referrers.value(of: bytes.extracting(range.indices)) {
            (VisitDetails.referrerHost(head, bytes), VisitDetails.referrerApp(head, bytes))
        }
    }
}

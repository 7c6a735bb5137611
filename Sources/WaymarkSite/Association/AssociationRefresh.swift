import WaymarkLinks
import WaymarkStores

/// Until when devices may use an earlier version of an association file.
///
/// Sources. Apple, TN3155 *Debugging universal links*, and *Supporting associated domains*: the CDN requests the file within 24
/// hours, devices ask the CDN at installation and update of the app and about once a week after it. Android Developers, *Verify
/// Android App Links*: a change takes up to seven days, because Android 15 and later verify periodically, and at installation;
/// devices ask Google's Digital Asset Links API, which caches the file as long as `Cache-Control` says. Earlier versions of Android
/// verify at installation and update of the app only: for them there is no time.
enum AssociationRefresh {
    /// How long a device uses a file, in milliseconds.
    static let deviceLifetime: Int64 = 7 * 86_400_000

    /// How long the service may take to notice a change, in milliseconds.
    static func delay(of fetcher: AssociationFetcher) -> Int64 {
        switch fetcher {
        case .apple: 86_400_000
        // As in `AssociationResponse`.
        case .google: 300_000
        }
    }

    struct Outlook: Equatable {
        /// Nil: no device has an earlier version, as far as is known.
        var heldUntil: Timestamp?
        /// Whether the service has yet to fetch this version: then `heldUntil` moves on while it does not.
        var isPending = false
    }

    /// - Parameters:
    ///   - version: nil if none is stored yet.
    ///   - tag: of what is served now.
    ///   - fetch: the last one of the service that devices ask.
    static func outlook(
        _ version: AssociationVersion?, served tag: String, _ fetch: AssociationFetch?, by fetcher: AssociationFetcher,
        now: Timestamp
    ) -> Outlook {
        guard let version else { return Outlook() }
        // Another server serves this file otherwise: the change is what this server has just noticed.
        let since = version.tag == tag ? version.since : now
        guard let since else { return Outlook() }
        if let fetch, fetch.tag == tag {
            let end = fetch.firstAt.advanced(byMilliseconds: deviceLifetime)
            return Outlook(heldUntil: end > now ? end : nil)
        }
        let arrival = max(since.advanced(byMilliseconds: delay(of: fetcher)), now)
        return Outlook(heldUntil: arrival.advanced(byMilliseconds: deviceLifetime), isPending: true)
    }
}

extension AssociationFileName {
    /// The service that fetches this file for devices.
    var fetcher: AssociationFetcher { self == .apple ? .apple : .google }
}

import WaymarkBytes
import WaymarkJSON
import WaymarkLinks
import WaymarkStores

/// Whether Apple has fetched the version of its file that is served, as far as servers of the database have observed.
enum AppleFetchCheck {
    struct Observation: Sendable, Equatable {
        /// When this version replaced another one, in seconds since 1970; nil: no other one is known.
        var since: Int64?
        /// When Apple fetched any version last; nil: never.
        var last: Int64?
        /// Whether Apple's last fetch was of this version.
        var isCurrent: Bool
    }

    /// The CDN asks within a day (Apple, TN3155), in seconds.
    private static let delay: Int64 = 86_400

    /// - Parameter now: in seconds since 1970.
    static func finding(_ seen: Observation, now: Int64) -> DoctorFinding {
        let last = seen.last.map { "last fetched \(age($0, now)) ago" } ?? "never fetched by Apple, as far as is known"
        guard let since = seen.since, !seen.isCurrent else { return .ok(.appleFetch, last) }
        guard now - since > delay else {
            return .ok(.appleFetch, "changed \(age(since, now)) ago; Apple fetches it within a day")
        }
        return .finding(
            .appleFetch, "changed \(age(since, now)) ago, not fetched by Apple since: devices have the old version",
            fix: "let AASA-Bot through from any address, without redirect and without a cache in between")
    }

    private static func age(_ time: Int64, _ now: Int64) -> String {
        let seconds = max(0, now - time)
        for (unit, length) in [("day", Int64(86_400)), ("hour", 3_600)] where seconds >= length {
            return Int(seconds / length).counted(unit)
        }
        return Int(seconds / 60).counted("minute")
    }
}

extension AppleFetchCheck.Observation {
    /// - Parameter domain: of `GET /api/v1/domains`; nil for that of a server before 0.3.
    init?(_ domain: JSONValue) {
        guard let file = domain["association"]?[AssociationFileName.apple.rawValue], file != .null else { return nil }
        func time(_ text: JSONValue?) -> Int64? { text?.string.flatMap { Timestamp(rfc3339: $0)?.seconds } }
        let fetch = file["fetches"]?["apple"]
        self.init(
            since: time(file["since"]), last: time(fetch?["last"]),
            isCurrent: fetch?["last"]?.string != nil && fetch?["etag"] == file["etag"])
    }
}

extension AppleFetchCheck {
    /// By host.
    static func observations(
        _ versions: [AssociationVersion], _ fetches: [AssociationFetch]
    ) -> [String: Observation] {
        var observations: [String: Observation] = [:]
        for version in versions where version.file.name == .apple {
            let fetch = fetches.first { $0.file == version.file && $0.fetcher == .apple }
            observations[version.file.host.text] = Observation(
                since: version.since?.seconds, last: fetch?.at.seconds, isCurrent: fetch?.tag == version.tag)
        }
        return observations
    }
}

import WaymarkClient
import WaymarkJSON

/// When the authority suggests to renew a certificate (RFC 9773).
struct RenewalInformation: Sendable, Equatable {
    /// Seconds until the next look: without `Retry-After`, and the bounds of one (RFC 9773 section 4.3).
    private static let interval = 21_600
    private static let intervals = 60...86_400

    /// Of the certificate that this is about.
    let identifier: String
    /// A random moment in the suggested window, chosen once for each window, in seconds since 1970.
    let moment: Int64
    /// The window.
    let start: Int64
    let end: Int64
    /// When to look again, in seconds since 1970.
    let checkAt: Int64

    init(identifier: String, moment: Int64, start: Int64, end: Int64, checkAt: Int64) {
        self.identifier = identifier
        self.moment = moment
        self.start = start
        self.end = end
        self.checkAt = checkAt
    }

    /// - Parameters:
    ///   - known: what was suggested before; its moment stays if the window is the same.
    ///   - random: from 0 up to 1.
    init(
        _ response: HTTPResponse, identifier: String, known: RenewalInformation?, now: Int64, random: Double
    ) throws(ACMEError) {
        let window = try ACMEClient.json(response)["suggestedWindow"]
        guard let start = window?["start"]?.string.flatMap({ ACMETime.seconds(rfc3339: $0) }),
            let end = window?["end"]?.string.flatMap({ ACMETime.seconds(rfc3339: $0) }), start <= end
        else { throw ACMEError(.unavailable, "the authority's renewal information has no window") }
        let wait = response.retryAfter(now: now) ?? Self.interval
        let isSame = known.map { $0.identifier == identifier && $0.start == start && $0.end == end } ?? false
        self.init(
            identifier: identifier,
            moment: isSame ? known?.moment ?? start : start + Int64(Double(end - start) * min(max(random, 0), 1)),
            start: start, end: end,
            checkAt: now + Int64(min(max(wait, Self.intervals.lowerBound), Self.intervals.upperBound)))
    }

    /// - Parameter value: as written by `write(to:)`.
    init?(_ value: JSONValue) {
        guard let identifier = value["identifier"]?.string, let moment = value["moment"]?.integer,
            let start = value["start"]?.integer, let end = value["end"]?.integer,
            let checkAt = value["checkAt"]?.integer
        else { return nil }
        self.init(
            identifier: identifier, moment: Int64(moment), start: Int64(start), end: Int64(end),
            checkAt: Int64(checkAt))
    }

    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("identifier", identifier)
        writer.member("moment", Int(moment))
        writer.member("start", Int(start))
        writer.member("end", Int(end))
        writer.member("checkAt", Int(checkAt))
        writer.endObject()
    }
}

extension ACMEClient {
    /// Nil if the authority suggests nothing.
    func renewalInformation(
        for identifier: String, known: RenewalInformation?, random: Double
    ) async throws(ACMEError) -> RenewalInformation? {
        guard let base = try await directory().renewalInfo else { return nil }
        let response = try await get(base.hasSuffix("/") ? base + identifier : "\(base)/\(identifier)")
        return try RenewalInformation(
            response, identifier: identifier, known: known, now: environment.now(), random: random)
    }
}

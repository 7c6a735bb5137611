import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkService

/// How a visit's query changes a cached response.
enum QueryEffect {
    /// Not looked at yet.
    case unknown
    /// Each such visit must be decided.
    case unforeseen
    case insertion(PreparedQuery)
}

/// Where a query goes in a cached response.
///
/// Isolation: confined to the thread of its event loop.
final class PreparedQuery {
    /// In the order of their offsets in head and body. Into many goes the same as into an earlier one.
    private let places: [(offset: Int, place: QueryPlace, sameAs: Int?)]
    /// Whether `d=1` asks for the page that shows where the link leads.
    private let mayAskForDetails: Bool
    /// Whether the query names the campaign of the click.
    let namesCampaign: Bool

    /// Nil if a query may change more than these places.
    ///
    /// - Parameters:
    ///   - response: to visitors without a query.
    ///   - open: the response to a visitor whose query is open, with the same click ID.
    ///   - isDevicePage: whether it is the page that distinguishes two devices.
    init?(
        _ response: PreparedResponse, open: Response, isDevicePage: Bool, _ cached: CachedLink,
        _ encodings: QueryEncodings
    ) {
        let (link, application) = (cached.link, cached.application.application)
        guard open.status == response.status, let body = open.body.inMemory,
            let inFields = QueryPlace.places(in: open.fields.bytes, bare: response.fields, encodings),
            let inBody = QueryPlace.places(in: body, bare: response.body, encodings)
        else { return nil }
        let all =
            inFields.map { (response.fieldsOffset + $0.offset, $0.place) }
            + inBody.map { (response.headCount + $0.offset, $0.place) }
        places = all.enumerated().map { number, found in
            (found.0, found.1, all[..<number].firstIndex { $0.1.isSame(as: found.1) })
        }
        // A query may make the two devices' URLs equal if not all of it goes into both: then there is no page.
        if isDevicePage, let first = all.first, !all.allSatisfy({ $0.1.takesSame(as: first.1) }) { return nil }
        mayAskForDetails = application.firebase?.isEnabled == true
        namesCampaign = cached.campaign == nil && link.forwardsQuery(application)
    }

    /// The response to a visit with a query; nil if the visit must be decided.
    ///
    /// - Parameter room: for the response, which is borrowed until the next call.
    func compose(
        _ response: PreparedResponse, _ query: Span<UInt8>, in room: inout Composition
    ) -> PreparedResponse? {
        guard room.plain.read(query) else { return nil }
        if mayAskForDetails, room.plain.asksForDetails { return nil }
        room.text.removeAll(keepingCapacity: true)
        room.insertions.removeAll(keepingCapacity: true)
        for (offset, place, sameAs) in places {
            var part = room.text.count..<room.text.count
            if let sameAs {
                part = room.insertions[sameAs].part
            } else {
                place.append(room.plain, query, to: &room.text)
                part = part.lowerBound..<room.text.count
            }
            room.insertions.append(PreparedResponse.Insertion(offset: offset, part: part))
        }
        let isComposed = room.response.compose(response, inserting: room.text.span, at: room.insertions.span)
        return isComposed ? room.response : nil
    }

    /// Estimated memory.
    var byteCount: Int { places.reduce(64) { $0 + 40 + $1.place.byteCount } }

    /// The memory of an event loop in which responses are composed.
    struct Composition {
        /// Longer responses are decided.
        let response = PreparedResponse.makeRoom(32_768)
        /// The query that was composed last.
        var plain = PlainQuery()
        var text: [UInt8] = []
        var insertions: [PreparedResponse.Insertion] = []
    }
}

extension ResponseBody {
    /// Nil for a body that is not in memory.
    var inMemory: [UInt8]? {
        switch self {
        case .none: []
        case .bytes(let bytes): bytes
        default: nil
        }
    }
}

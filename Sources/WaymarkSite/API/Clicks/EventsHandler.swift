import WaymarkAPI
import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkService

/// `POST /api/v1/events`: what an app reports of itself.
enum EventsHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let (body, shape) = EventsRequest.attempt(try ObjectReader.document(call.body, shape: EventsRequest.shape))
        guard let body else { throw Problem(invalid: shape) }
        var meaning: [FieldProblem] = []
        let events = body.events.enumerated().compactMap { index, event in
            read(event, at: "events[\(index)]", &meaning)
        }
        let problems = FieldProblem.merged(shape: shape, meaning: meaning)
        guard problems.isEmpty else { throw Problem(invalid: problems) }

        let outcomes = try await site.service.record(events, for: call.key.application)
        func count(_ outcome: EventOutcome) -> Int { outcomes.count { $0 == outcome } }
        return .json(
            .accepted,
            EventsResponse(
                counted: count(.counted), unattributed: count(.unattributed), duplicates: count(.duplicate)
            ).json)
    }

    /// What leads nowhere is no problem: an app that was refused for it would send it over and over.
    private static func read(_ event: EventRequest, at path: String, _ problems: inout [FieldProblem]) -> ReportedEvent?
    {
        func reject(_ field: String, _ problem: String) {
            problems.append(FieldProblem(field: "\(path).\(field)", problem: problem))
        }
        if let problem = ReportedText.problem(ofID: event.id) { reject("id", problem) }
        let kind = AppEvent.Kind(rawValue: event.type)
        if kind == nil {
            reject("type", "must be one of \(AppEvent.Kind.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        if Platform(rawValue: event.platform) == nil { reject("platform", ReportedText.platformProblem) }
        if Timestamp(rfc3339: event.at) == nil {
            reject("at", "must be an RFC 3339 time, such as 2026-11-21T10:00:00Z")
        }
        guard let kind else { return nil }
        let address = event.smartlink.flatMap { WebURL($0) }.flatMap { SmartlinkAddress($0) }
        return ReportedEvent(
            id: event.id, kind: kind, clickID: event.clickID, smartlink: address.map { ($0.host, $0.slug) })
    }
}

/// What apps say of themselves, checked.
enum ReportedText {
    /// Of an id that an app has made up: nil where it may be one.
    static func problem(ofID text: String) -> String? {
        guard !text.isEmpty else { return "must not be empty" }
        guard text.utf8.count <= 255 else { return "must be at most 255 bytes long" }
        guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return "must not hold control characters" }
        return nil
    }

    static let platformProblem = "must be one of \(Platform.allCases.map(\.rawValue).joined(separator: ", "))"
}

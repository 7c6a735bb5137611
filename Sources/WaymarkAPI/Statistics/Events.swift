package import WaymarkJSON

/// Up to 100 events reported by an app: the body of `POST /api/v1/events`.
public struct EventsRequest: Sendable, Hashable {
    public static let limit = 100

    public var events: [EventRequest]

    public init(events: [EventRequest]) { self.events = events }

    public init(json: [UInt8]) throws(BodyError) {
        let (body, problems) = Self.attempt(try ObjectReader.document(json, shape: Self.shape))
        guard problems.isEmpty, let body else { throw .invalid(problems) }
        self = body
    }

    /// The body with all members of the right types, for further validation. Members that are missing or of another
    /// type are reported and replaced by an empty string.
    package static func attempt(_ document: JSONDocument) -> (body: EventsRequest?, problems: [FieldProblem]) {
        ObjectReader.attempt(document) { reader in
            guard reader.value("events") != nil else {
                reader.reject("events", "is missing")
                return EventsRequest(events: [])
            }
            return EventsRequest(
                events: reader.objects("events", instead: EventRequest.none) { EventRequest(reading: &$0) } ?? [])
        }
    }

    public var json: [UInt8] {
        JSONWriter.text { writer in
            writer.beginObject()
            writer.array("events", events) { event, writer in event.write(to: &writer) }
            writer.endObject()
        }
    }
}

/// An event in an app.
public struct EventRequest: Sendable, Hashable {
    /// Chosen by the app: 1 to 255 bytes without control characters. Events with the same ID within 7 days are
    /// counted once.
    public var id: String
    /// `open` or `install`.
    public var type: String
    /// The `_hk_cid` that the app was opened with.
    public var clickID: String?
    /// The smart link that the app was opened with; used if there is no valid click ID.
    public var smartlink: String?
    /// `iphone`, `ipad`, `ios`, `android`, `macos`, `windows`, `linux` or `web`.
    public var platform: String
    /// The time of the event by the app's clock, RFC 3339.
    public var at: String

    public init(
        id: String, type: String, clickID: String? = nil, smartlink: String? = nil, platform: String, at: String
    ) {
        self.id = id
        self.type = type
        self.clickID = clickID
        self.smartlink = smartlink
        self.platform = platform
        self.at = at
    }

    /// Placeholder for an element that is not an event.
    static let none = EventRequest(id: "", type: "", platform: "", at: "")

    init(reading reader: inout ObjectReader) {
        id = reader.required("id") ?? ""
        type = reader.required("type") ?? ""
        clickID = reader.string("clickID")
        smartlink = reader.string("smartlink")
        platform = reader.required("platform") ?? ""
        at = reader.required("at") ?? ""
    }

    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("id", id)
        writer.member("type", type)
        writer.member("clickID", ifGiven: clickID)
        writer.member("smartlink", ifGiven: smartlink)
        writer.member("platform", platform)
        writer.member("at", at)
        writer.endObject()
    }
}

extension ObjectReader {
    /// A required string.
    mutating func required(_ name: String) -> String? {
        guard value(name) != nil else {
            reject(name, "is missing")
            return nil
        }
        return string(name)
    }
}

/// The number of events of one request by outcome; none should be sent again.
public struct EventsResponse: Sendable, Hashable {
    /// Counted for their link.
    public var counted: Int
    /// Accepted, but not related to a link of the key's application.
    public var unattributed: Int
    /// Duplicates, not counted again.
    public var duplicates: Int

    public init(counted: Int, unattributed: Int, duplicates: Int) {
        self.counted = counted
        self.unattributed = unattributed
        self.duplicates = duplicates
    }

    public var json: [UInt8] {
        JSONWriter.text { writer in
            writer.beginObject()
            writer.member("counted", counted)
            writer.member("unattributed", unattributed)
            writer.member("duplicates", duplicates)
            writer.endObject()
        }
    }

    /// Decodes a server's response; nil if the bytes are not one.
    public init?(json: [UInt8]) {
        guard let document = try? JSONDocument(json), let counted = document.root["counted"]?.integer,
            let unattributed = document.root["unattributed"]?.integer,
            let duplicates = document.root["duplicates"]?.integer
        else { return nil }
        self.init(counted: counted, unattributed: unattributed, duplicates: duplicates)
    }
}

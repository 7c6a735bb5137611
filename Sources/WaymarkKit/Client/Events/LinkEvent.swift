import Foundation
import WaymarkAPI
import WaymarkJSON

/// An event in the app. The service counts it once, by its ID.
struct LinkEvent: Sendable, Equatable {
    enum Kind: String, Sendable {
        case open, install
    }

    /// Generated when the event occurs; every attempt to send it has the same ID.
    let id: String
    let kind: Kind
    let clickID: String?
    let smartlink: String?
    let platform: String
    /// Unix time in seconds.
    let at: Int

    init(id: String, kind: Kind, clickID: String?, smartlink: String?, platform: String, at: Int) {
        self.id = id
        self.kind = kind
        self.clickID = clickID
        self.smartlink = smartlink
        self.platform = platform
        self.at = at
    }

    init?(_ json: JSONValue) {
        guard let id = json["id"]?.string, let kind = json["type"]?.string.flatMap(Kind.init(rawValue:)),
            let platform = json["platform"]?.string, let at = json["at"]?.integer
        else { return nil }
        self.init(
            id: id, kind: kind, clickID: json["clickID"]?.string, smartlink: json["smartlink"]?.string,
            platform: platform, at: at)
    }

    /// The stored form.
    var json: JSONValue {
        var object = JSONObject()
        object["id"] = JSONValue(id)
        object["type"] = JSONValue(kind.rawValue)
        if let clickID { object["clickID"] = JSONValue(clickID) }
        if let smartlink { object["smartlink"] = JSONValue(smartlink) }
        object["platform"] = JSONValue(platform)
        object["at"] = JSONValue(at)
        return JSONValue(object)
    }

    /// The form sent to the service.
    var body: EventRequest {
        EventRequest(
            id: id, type: kind.rawValue, clickID: clickID, smartlink: smartlink, platform: platform,
            at: Date(timeIntervalSince1970: TimeInterval(at)).formatted(.iso8601))
    }
}

import WaymarkJSON

/// The client's stored state of this installation of the app.
struct Installation: StoredValue {
    static let name = "installation"

    /// Nil until first needed.
    var id: String?
    /// Whether the service has answered the claim for a deferred deep link.
    var isClaimed = false
    /// Whether the installation was recorded as an event.
    var isRecorded = false
    /// Whether that event has a click.
    var isAttributed = false

    init() {}

    init?(_ json: JSONValue) {
        guard let id = json["id"]?.string, !id.isEmpty else { return nil }
        self.id = id
        isClaimed = json["claimed"]?.bool ?? false
        isRecorded = json["recorded"]?.bool ?? false
        isAttributed = json["attributed"]?.bool ?? isRecorded
    }

    var json: JSONValue {
        var object = JSONObject()
        if let id { object["id"] = JSONValue(id) }
        object["claimed"] = JSONValue(isClaimed)
        object["recorded"] = JSONValue(isRecorded)
        object["attributed"] = JSONValue(isAttributed)
        return JSONValue(object)
    }

    mutating func add(_ later: Installation) {
        id = id ?? later.id
        isClaimed = isClaimed || later.isClaimed
        isRecorded = isRecorded || later.isRecorded
        isAttributed = isAttributed || later.isAttributed
    }
}

import WaymarkAPI
import WaymarkJSON

/// Links that were received but not shown yet: that of the installation, and the last other one that was
/// opened.
struct KeptLinks: StoredValue {
    static let name = "links"
    /// In seconds: 30 days.
    static let age = 30 * 86_400
    /// A link whose target was started so often and has never ended would end the app at every start.
    static let startLimit = 3

    var installation: KeptLink?
    var current: KeptLink?

    init() {}

    init?(_ json: JSONValue) {
        guard json.object != nil else { return nil }
        for (name, path) in [("installation", \KeptLinks.installation), ("current", \KeptLinks.current)] {
            guard let member = json[name] else { continue }
            guard let link = KeptLink(member) else { return nil }
            self[keyPath: path] = link
        }
    }

    var json: JSONValue {
        var object = JSONObject()
        if let installation { object["installation"] = installation.json }
        if let current { object["current"] = current.json }
        return JSONValue(object)
    }

    mutating func add(_ later: KeptLinks) {
        installation = later.installation ?? installation
        current = later.current ?? current
    }
}

/// A link as it was received, and how far it has come.
struct KeptLink: Sendable, Equatable {
    /// The URL that the app was opened with; nil for a deferred link.
    var url: String?
    /// The service's answer; nil if there is none yet.
    var answer: ResolveResponse?
    /// How a deferred link was matched.
    var match: String?
    /// The click that led to the installation.
    var clickID: String?
    /// The code of the error if the link could not be resolved.
    var error: String?
    /// Unix time in seconds.
    var at: Int
    /// How often the target was started.
    var starts = 0
    /// Whether the opening was recorded.
    var isRecorded = false
    /// Whether the target has run.
    var isOpened = false

    init(url: String? = nil, answer: ResolveResponse? = nil, error: String? = nil, at: Int) {
        self.url = url
        self.answer = answer
        self.error = error
        self.at = at
    }

    init?(_ json: JSONValue) {
        guard let at = json["at"]?.integer else { return nil }
        self.init(url: json["url"]?.string, error: json["error"]?.string, at: at)
        if let answer = json["answer"], !answer.isNull {
            guard let answer = ResolveResponse(json: answer.bytes()) else { return nil }
            self.answer = answer
        }
        match = json["match"]?.string
        clickID = json["clickID"]?.string
        starts = max(0, json["starts"]?.integer ?? 0)
        isRecorded = json["recorded"]?.bool ?? false
        isOpened = json["opened"]?.bool ?? false
        guard url != nil || answer != nil else { return nil }
    }

    var json: JSONValue {
        var object = JSONObject()
        if let url { object["url"] = JSONValue(url) }
        if let answer = answer.flatMap({ try? JSONValue(parsing: $0.json) }) { object["answer"] = answer }
        if let match { object["match"] = JSONValue(match) }
        if let clickID { object["clickID"] = JSONValue(clickID) }
        if let error { object["error"] = JSONValue(error) }
        object["at"] = JSONValue(at)
        object["starts"] = JSONValue(starts)
        object["recorded"] = JSONValue(isRecorded)
        object["opened"] = JSONValue(isOpened)
        return JSONValue(object)
    }

    /// Whether it is still to be shown.
    func isWaiting(now: Int) -> Bool {
        let age = now.subtractingReportingOverflow(at)
        return !isOpened && starts < KeptLinks.startLimit && !age.overflow && age.partialValue <= KeptLinks.age
    }
}

/// Where a link of this process is kept.
struct KeptReference: Sendable {
    enum Place: Sendable {
        case installation
        /// The number that `KeptLinkStore.begin()` gave.
        case current(Int)
    }

    let store: KeptLinkStore
    let place: Place
}

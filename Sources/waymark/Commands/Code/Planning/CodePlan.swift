import WaymarkAPI
import WaymarkJSON

/// What must be done so that a server has what the files say.
struct CodePlan: Sendable {
    enum Kind: String, Sendable {
        case application, link, webhook
    }

    struct Field: Sendable {
        let name: String
        /// Nil where values are not shown.
        let from: JSONValue?
        let to: JSONValue?
    }

    struct Step: Sendable {
        let kind: Kind
        /// An application's ID, a link's domain and slug, a webhook's URL.
        let name: String
        var fields: [Field] = []
        /// Whether it was changed elsewhere since the last apply; nil: nobody knows.
        var isDrift: Bool?
    }

    /// A link that was renamed elsewhere, and answers under the files' slug as an alias.
    struct LinkRename: Sendable {
        let app: String
        /// Before, as the server has it.
        let from: String
        let slug: String
        /// Afterwards, as the files have it.
        let address: String
        let version: Int
    }

    /// A link to change, and how.
    struct LinkChange: Sendable {
        let app: String
        let address: String
        let version: Int
        let patch: JSONObject
    }

    struct LinkDeletion: Sendable {
        let app: String
        let address: String
        let version: Int
    }

    /// An application to create or to replace.
    struct AppChange: Sendable {
        let id: String
        let document: [UInt8]
        /// Nil: it is new.
        let version: Int?
        let place: CodePlace
    }

    struct WebhookChange: Sendable {
        let id: String
        let url: String
        /// Who manages it before the change.
        let manager: String?
        /// Nil: it is deleted.
        let patch: JSONValue?
    }

    struct AppDeletion: Sendable {
        let id: String
        let version: Int
        /// What the last apply left of it and its links.
        let versions: CodeVersions
    }

    var create: [Step] = []
    var change: [Step] = []
    var delete: [Step] = []
    /// Why the plan can't be applied.
    var refusals = CodeProblems()
    /// How many of the owner's are not in the files, unless they are deleted.
    var unlisted: [Kind: Int] = [:]

    var apps: [AppChange] = []
    var newLinks: [LinkRequest] = []
    var linkRenames: [LinkRename] = []
    var linkChanges: [LinkChange] = []
    var newWebhooks: [WebhookRequest] = []
    var webhookChanges: [WebhookChange] = []
    var deletedLinks: [LinkDeletion] = []
    var deletedWebhooks: [WebhookChange] = []
    var deletedApps: [AppDeletion] = []
    /// Of the owner's links once the plan is applied, as far as the server must be told.
    var versions = CodeVersions()

    var isEmpty: Bool { create.isEmpty && change.isEmpty && delete.isEmpty }

    var json: JSONValue {
        [
            "create": JSONValue(create.map(\.json)), "change": JSONValue(change.map(\.json)),
            "delete": JSONValue(delete.map(\.json)),
        ]
    }

    /// - Parameter isDone: whether it was applied.
    func text(isDone: Bool) -> String {
        var lines = create.map { "+ \($0.text)" } + change.map { "~ \($0.text)" } + delete.map { "- \($0.text)" }
        let counts = [(create.count, "create"), (change.count, "change"), (delete.count, "delete")]
        lines.append(
            isEmpty
                ? "nothing to do"
                : counts.map { "\($0) \(isDone ? "\($1)d" : "to \($1)")" }.joined(separator: ", "))
        let others = [Kind.link, .webhook, .application].compactMap { kind in
            unlisted[kind].map { $0.counted(kind.rawValue) }
        }
        if !others.isEmpty {
            lines.append(
                "\(others.joined(separator: ", ")) of the owner not in the files; --prune deletes what is not there")
        }
        return lines.joined(separator: "\n")
    }
}

extension CodePlan.Step {
    fileprivate var text: String {
        let names = fields.isEmpty ? "" : ": " + fields.map(\.name).joined(separator: ", ")
        let drift = isDrift == true ? " (drift: changed elsewhere since the last apply)" : ""
        return "\(kind.rawValue) \(name)\(names)\(drift)"
    }

    fileprivate var json: JSONValue {
        var object: JSONObject = ["kind": JSONValue(kind.rawValue), "name": JSONValue(name)]
        guard !fields.isEmpty else { return JSONValue(object) }
        if let isDrift { object["drift"] = JSONValue(isDrift) }
        object["fields"] = JSONValue(
            fields.map { field -> JSONValue in
                var shown: JSONObject = ["field": JSONValue(field.name)]
                if let from = field.from { shown["from"] = from }
                if let to = field.to { shown["to"] = to }
                return JSONValue(shown)
            })
        return JSONValue(object)
    }
}

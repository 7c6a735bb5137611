import WaymarkAPI
import WaymarkJSON
import WaymarkServer

/// The fields of an uploaded form. Their names and values are those of the JSON body, besides `file` and the text forms
/// of `map` (`COLUMN=FIELD`, repeatable) and `credentials` (a key).
struct ImportForm: Sendable {
    static let fileField = "file"
    private static let names = ["source", "app", "domain", "dryRun", "map", "timeZone", "credentials"]

    struct File: Sendable {
        /// For messages.
        let name: String
        let spool: SpoolFile
        var bytes = 0

        init(name: String, spool: SpoolFile) {
            self.name = name
            self.spool = spool
        }
    }

    var files: [File] = []
    private var fields: [(name: String, value: String)] = []
    private var problems: [FieldProblem] = []

    /// A name that can be part of a message.
    static func displayName(_ fileName: String?) -> String {
        let name = (fileName ?? "").filter { !$0.unicodeScalars.contains { $0.properties.generalCategory == .control } }
        return name.isEmpty ? fileField : String(name.prefix(100))
    }

    mutating func add(_ name: String, _ value: [UInt8]) {
        guard Self.names.contains(name) else {
            let shown = name.prefix(100)
            return problems.append(FieldProblem(field: String(shown), problem: "is not a known field"))
        }
        guard name == "map" || !fields.contains(where: { $0.name == name }) else {
            return problems.append(FieldProblem(field: name, problem: "is given more than once"))
        }
        guard let text = String(validating: value, as: UTF8.self) else {
            return problems.append(FieldProblem(field: name, problem: "must be UTF-8"))
        }
        // An input of a page that was left empty is sent nevertheless.
        if !text.isEmpty { fields.append((name, text)) }
    }

    /// The form as the JSON body, the texts of `map`, and what is wrong with it.
    var request: (body: ImportRequest, map: [String], problems: [FieldProblem]) {
        var problems = problems
        var body = ImportRequest(source: value("source") ?? "")
        if value("source") == nil { problems.append(FieldProblem(field: "source", problem: "is missing")) }
        body.app = value("app")
        body.domain = value("domain")
        body.timeZone = value("timeZone")
        switch value("dryRun") {
        case nil, "false": break
        case "true": body.dryRun = true
        default: problems.append(FieldProblem(field: "dryRun", problem: "must be true or false"))
        }
        var map: [String] = []
        for text in fields where text.name == "map" {
            guard text.value.utf8.first == UInt8(ascii: "{") else {
                map.append(text.value)
                continue
            }
            let (read, found) = Self.json("map", text.value)
            map += read?.mapTexts ?? []
            problems += found
        }
        if let text = value("credentials") {
            if text.utf8.first == UInt8(ascii: "{") {
                let (read, found) = Self.json("credentials", text)
                body.credentials = read?.credentials
                problems += found
            } else {
                body.credentials = ImportRequest.Credentials(apiKey: text)
            }
        }
        return (body, map, problems)
    }

    private func value(_ name: String) -> String? { fields.first { $0.name == name }?.value }

    /// A field whose value is JSON, read as that member of the body.
    private static func json(_ name: String, _ text: String) -> (body: ImportRequest?, problems: [FieldProblem]) {
        let bytes = Array("{\"source\":\"\",\"\(name)\":\(text)}".utf8)
        guard let document = try? JSONDocument(bytes, shape: ImportRequest.shape) else {
            return (nil, [FieldProblem(field: name, problem: "is not valid JSON")])
        }
        return ImportRequest.attempt(document)
    }
}

extension ImportRequest {
    /// As `--map` takes them.
    var mapTexts: [String] { map.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" } }
}

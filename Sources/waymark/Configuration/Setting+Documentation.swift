extension AnySetting {
    /// The help of its flag.
    var help: String {
        let source = (variable ?? "") + (isList ? ", comma-separated" : "")
        return "\(summary)\(isList ? "; repeatable" : ""). [\(allowedText); \(source); default: \(defaultText)]"
    }

    /// Its row in docs/operations/configuration.md.
    fileprivate var row: String {
        func code(_ text: String?) -> String { text.map { "`\($0)`" } ?? "–" }
        let key = sources.contains(.file) ? name : nil
        let about = page.map { page in
            let title = page.split(separator: "/").last?.prefix { $0 != "." }.drop { $0 == "#" } ?? ""
            return "\(summary) ([\(title.replacing("-", with: " "))](\(page)))"
        }
        let cells = [
            code(key), code(flag), code(variable), allowed, defaultText, reload == .applies ? "yes" : "no",
            about ?? summary,
        ]
        return "| \(cells.joined(separator: " | ")) |"
    }
}

extension Settings {
    /// The table in docs/operations/configuration.md.
    static var documentation: String {
        let heading = ["key", "flag", "environment", "value", "default", "SIGHUP", "what"]
        let rows = [heading, heading.map { _ in "---" }].map { "| \($0.joined(separator: " | ")) |" } + all.map(\.row)
        return rows.joined(separator: "\n") + "\n"
    }
}

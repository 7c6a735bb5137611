package import WaymarkJSON

/// The formats of `waymark links export`.
package enum ExportFormat: String, CaseIterable, Sendable {
    /// One column for each member; imported with `--from waymark` or `--from csv`.
    case csv
    /// The columns that Shlink's importer reads.
    case shlink
    /// One JSON object on each line; imported with `--from waymark`.
    case jsonl

    package static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }

    /// The first line, without its end; nil if there is none.
    package var header: [UInt8]? {
        switch self {
        case .csv: Self.line(LinkColumn.all.map(\.name))
        case .shlink: Self.line(["Short Code", "Short URL", "Long URL", "Domain", "Title", "Tags"])
        case .jsonl: nil
        }
    }

    /// A link's line, without its end; nil if the format can't express the link.
    ///
    /// - Parameters:
    ///   - link: as the API returns it.
    ///   - webURL: where the link leads on the web if it has no URL of its own for it.
    package func line(_ link: JSONValue, webURL: String? = nil) -> [UInt8]? {
        switch self {
        case .csv: return Self.line(LinkColumn.all.map { $0.cell(link) })
        case .jsonl: return Self.exported(link).bytes()
        case .shlink:
            // Shlink has no passwords, and would lead everybody on.
            guard link["hasPassword"]?.bool != true else { return nil }
            guard let url = Self.webURL(of: link) ?? webURL else { return nil }
            // Shlink separates tags with "," or "|", so no tag can contain one.
            let tags = (link["tags"]?.array ?? []).compactMap(\.string).map { tag in
                String(tag.map { ",|".contains($0) ? " " : $0 })
            }
            return Self.line([
                link["slug"]?.string ?? "", link["smartlink"]?.string ?? "", url, link["domain"]?.string ?? "",
                SpreadsheetText.guarded(link["title"]?.string ?? ""),
                SpreadsheetText.guarded(tags.joined(separator: "|")),
            ])
        }
    }

    private static func line(_ cells: [String]) -> [UInt8] {
        var bytes: [UInt8] = []
        CSVText.append(cells, to: &bytes)
        bytes.removeLast()
        return bytes
    }

    private static func webURL(of link: JSONValue) -> String? {
        for platform in ["web", "windows", "macos", "linux", "ios", "iphone", "ipad", "android"] {
            let entry = link["urls"]?[platform]
            for url in [entry?.string ?? entry?["link"]?.string, entry?["fallback"]?.string] {
                if let url, url.hasPrefix("https://") || url.hasPrefix("http://") { return url }
            }
        }
        return nil
    }

    /// The members that an import reads. Counts are a starting number at the next server.
    private static func exported(_ link: JSONValue) -> JSONValue {
        var object = JSONObject()
        for member in link.object?.members ?? [] {
            switch member.name {
            case "hasMetadata", "redeem", "state", "clicks", "importedClicks", "updatedAt", "version", "ownSettings",
                "forwardQuery", "queryOverride":
                continue
            case "hasPassword" where member.value.bool == false: continue
            default: break
            }
            if member.value.isNull || member.value.object?.isEmpty == true || member.value.array?.isEmpty == true {
                continue
            }
            object[member.name] = member.value
        }
        for name in ["forwardQuery", "queryOverride"] {
            if let setting = ownSetting(name, of: link) { object[name] = JSONValue(setting) }
        }
        let clicks = clickCount(of: link)
        if clicks > 0 { object["importedClicks"] = JSONValue(clicks) }
        return JSONValue(object)
    }

    /// A setting that the link has itself; nil where it is the application's.
    static func ownSetting(_ name: String, of link: JSONValue) -> Bool? {
        let own = link["ownSettings"]?.array ?? []
        return own.contains { $0.string == name } ? link[name]?.bool ?? false : nil
    }

    static func clickCount(of link: JSONValue) -> Int {
        let (sum, overflow) = (link["clicks"]?.integer ?? 0).addingReportingOverflow(
            link["importedClicks"]?.integer ?? 0)
        return overflow ? .max : sum
    }
}

/// Cells that no spreadsheet evaluates as a formula. `CSVReader` removes the guard, so the text is the same afterwards.
package enum SpreadsheetText {
    private static let formulaStarts = Set("=+-@\t\r\\".utf8)

    /// With an apostrophe if a spreadsheet would evaluate the text, or if a reader would remove an apostrophe of its own.
    package static func guarded(_ text: String) -> String {
        let rest = text.utf8.drop { $0 == UInt8(ascii: "'") }
        guard let first = rest.first else { return text }
        let isQuoted = rest.startIndex != text.utf8.startIndex
        let isDigit = (0x30...0x39).contains(first)
        return formulaStarts.contains(first) || (isQuoted && isDigit) ? "'" + text : text
    }

    /// Whether `CSVReader` removes the first of the apostrophes that the cell begins with.
    static func isGuarded(_ cell: ArraySlice<UInt8>) -> Bool {
        guard cell.first == UInt8(ascii: "'"), let first = cell.first(where: { $0 != UInt8(ascii: "'") }) else {
            return false
        }
        return formulaStarts.contains(first) || (0x30...0x39).contains(first)
    }
}

package import WaymarkJSON
import WaymarkLinks

/// The forms in which links leave: what `waymark links export --format` takes.
package enum LinkExportFormat: String, CaseIterable, Sendable {
    /// A spreadsheet, whose columns `--from waymark` reads again; without rules.
    case csv
    /// CSV that Shlink imports.
    case shlink
    /// One JSON object a line, as the REST API returns links; complete but for metadata.
    case jsonl
}

/// Writes links, as the REST API returns them, without their metadata.
package struct LinkExport: Sendable {
    private let format: LinkExportFormat
    /// Names of columns for route and query parameters, such as `routeParameters.product_id`.
    private var parameters: [String] = []
    /// Links that the format can't express.
    package private(set) var omitted = 0

    package init(_ format: LinkExportFormat) { self.format = format }

    /// Whether all links have to be passed to `learn` before the first is written.
    package var needsColumns: Bool { format == .csv }

    /// The most columns for parameters in a table.
    package static let columnLimit = 500

    /// Adds columns for the link's parameters.
    ///
    /// - Throws: `SourceError` if there are too many.
    package mutating func learn(_ link: JSONValue) throws {
        for group in ["routeParameters", "queryParameters"] {
            for member in link[group]?.object?.members ?? [] {
                let name = "\(group).\(member.name)"
                guard !parameters.contains(name) else { continue }
                guard parameters.count < Self.columnLimit else {
                    throw SourceError(
                        "the links have more than \(Self.columnLimit) different parameters; use --format jsonl")
                }
                parameters.append(name)
            }
        }
    }

    /// Empty for a format without one.
    package func header() -> [UInt8] {
        var bytes: [UInt8] = []
        switch format {
        case .csv: CSVText.append(Self.columns + parameters, to: &bytes)
        case .shlink: CSVText.append(["Long URL", "Tags", "Domain", "Short code", "Title"], to: &bytes)
        case .jsonl: break
        }
        return bytes
    }

    package mutating func append(_ link: JSONValue, to bytes: inout [UInt8]) {
        switch format {
        case .jsonl:
            var object = link.object ?? JSONObject()
            object["metadata"] = nil
            bytes += JSONValue(object).bytes()
            bytes.append(UInt8(ascii: "\n"))
        case .csv:
            CSVText.append((Self.columns + parameters).map { CSVText.safe(Self.cell($0, link)) }, to: &bytes)
        case .shlink:
            let destination = Self.cell("urls.web", link)
            guard !destination.isEmpty else {
                omitted += 1
                return
            }
            let tags = (link["tags"]?.array ?? []).compactMap(\.string).joined(separator: "|")
            CSVText.append(
                [destination, tags, Self.cell("domain", link), Self.cell("slug", link), Self.cell("title", link)],
                to: &bytes)
        }
    }

    private static let columns: [String] =
        ["smartlink", "domain", "slug", "title", "note", "tags", "createdAt", "importedClicks", "disabled"]
        + ["validFrom", "expiresAt", "maxClicks", "redeemLimit", "forwardQuery", "route"]
        + Platform.allCases.flatMap { ["urls.\($0.rawValue)", "urls.\($0.rawValue).fallback"] }
        + ["source", "medium", "name", "term", "content"].map { "campaign.\($0)" }
        + ["title", "description", "imageURL"].map { "social.\($0)" } + [
            "minimumVersion.ios", "minimumVersion.android",
        ]

    private static func cell(_ column: String, _ link: JSONValue) -> String {
        switch column {
        case "tags": return (link["tags"]?.array ?? []).compactMap(\.string).joined(separator: "|")
        // Clicks here are the ones of another service for whoever reads the file.
        case "importedClicks":
            let clicks = (link["clicks"]?.integer ?? 0) + (link["importedClicks"]?.integer ?? 0)
            return clicks > 0 ? String(clicks) : ""
        case "disabled": return link["disabled"]?.bool == true ? "true" : ""
        case "redeemLimit":
            let limit = link["redeemLimit"]?.integer ?? 0
            return limit > 0 ? String(limit) : ""
        default: break
        }
        let parts = column.split(separator: ".", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { return text(link[column]) }
        guard parts[0] == "urls" else { return text(link[parts[0]]?[parts[1]]) }
        let entry = parts[1].split(separator: ".").map(String.init)
        let value = link["urls"]?[entry[0]]
        guard entry.count == 1 else { return text(value?["fallback"]) }
        return value?.string ?? text(value?["link"])
    }

    private static func text(_ value: JSONValue?) -> String {
        value?.string ?? value?.number?.text ?? value?.bool.map { $0 ? "true" : "false" } ?? ""
    }
}

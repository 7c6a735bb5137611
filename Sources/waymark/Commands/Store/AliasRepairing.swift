import WaymarkArchive
import WaymarkJSON
import WaymarkLinks
import WaymarkSockets
import WaymarkStores

/// `waymark check --repair-aliases`. No server may run, because servers remember links by their slugs.
enum AliasRepairing {
    static func run(_ configuration: Configuration, json: Bool) throws {
        let archive = try configuration.database.archive(.alone)
        defer { archive.close() }
        let report = try reportingFailures(of: configuration.database.text) {
            try AliasRepair(archive).run(at: Timestamp(rawValue: WallClock.milliseconds()))
        }
        if json {
            let changes = report.changes.map { change -> JSONValue in
                [
                    "domain": JSONValue(change.clash.domain.text), "slug": JSONValue(change.clash.slug.text),
                    "newSlug": change.slug.map { JSONValue($0.text) } ?? .null,
                ]
            }
            let value: JSONValue = [
                "changes": JSONValue(changes), "removedAliases": JSONValue(report.removedAliases),
            ]
            print(value.text(style: .pretty))
            return
        }
        for change in report.changes {
            let address = "\(change.clash.domain.text)/\(change.clash.slug.text)"
            if let slug = change.slug {
                print(
                    """
                    \(address) leads to the link that had it first; the link that took it is now \
                    \(change.clash.domain.text)/\(slug.text)
                    """.oneLine)
            } else {
                print("\(address) was an earlier slug of its own link, and is no longer".oneLine)
            }
        }
        let removed = report.removedAliases
        if removed > 0 { print("\(removed) earlier slugs of deleted links removed") }
        if report.changes.isEmpty && removed == 0 { print("no address has two links") }
    }
}

import ArgumentParser
import WaymarkArchive
import WaymarkJSON
import WaymarkLinks
import WaymarkService
import WaymarkSite
import WaymarkStores

/// `waymark check`
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check the database for damage and contradictions, while the service runs.",
        discussion: """
            Reads everything once, changes nothing, and names what mends a problem; docs/operations/backup-and-restore.md \
            lists what must hold. A SQLite file of an older version is checked on a temporary copy (TMPDIR). \
            With --rebuild-totals it counts the totals of clicks again from their records instead, with \
            --rebuild-search it discards the indexes of listings and searches, which servers then fill again, and with \
            --repair-aliases, while no server runs, it gives addresses that two links have back to the one that had \
            them first. \
            Exit status: 0 all of it holds, 1 something does not, an import is unfinished, or there is no database, 2 the \
            database could not be checked.
            """)

    @Flag(name: .long, help: "Print JSON.")
    var json = false

    @Flag(name: .long, help: "Replace totals of clicks by a count of their records, day by day.")
    var rebuildTotals = false

    @Flag(name: .long, help: "Discard the indexes of listings and searches; servers fill them again.")
    var rebuildSearch = false

    @Flag(name: .long, help: "Give earlier slugs that another link took back to their links; stop the servers first.")
    var repairAliases = false

    @OptionGroup var options: StoreOptions

    mutating func run() throws {
        let configuration = try options.configuration()
        if configuration.database.isMissing {
            throw CommandFailure.failed("\(configuration.database.text) does not exist")
        }
        guard !repairAliases else { return try AliasRepairing.run(configuration, json: json) }
        guard !rebuildSearch else { return try discardSearchIndex(configuration) }
        guard !rebuildTotals else { return try rebuild(configuration) }
        let report: StoreCheck.Report
        do {
            report = try check(configuration)
        } catch let failure as CommandFailure where !failure.message.hasSuffix(ImportProgress.refusal) {
            throw CommandFailure.usage(failure.message)
        }
        if json {
            let value: JSONValue = [
                "links": JSONValue(report.links), "applications": JSONValue(report.applications),
                "records": JSONValue(report.records), "problems": JSONValue(report.problems.map { JSONValue($0) }),
                "furtherProblems": JSONValue(report.further),
                "mend": JSONValue(report.mendings.sorted().map { JSONValue($0.command) }),
            ]
            print(value.text(style: .pretty))
        } else {
            for problem in report.problems { print(problem.oneLine) }
            if report.further > 0 { print("and \(report.further) more") }
            for mending in report.mendings.sorted() { print("to mend it: \(mending.command)") }
            let problems = report.problems.count + report.further
            let counts = [
                report.links.counted("link"), report.applications.counted("application"),
                report.records.counted("record"), "\(report.clickBlocks.counted("block")) of clicks",
                "\(report.totalsDays.counted("day")) of totals", "\(report.activityDays.counted("day")) of activity",
            ]
            print("\(counts.joined(separator: ", ")): \(problems == 0 ? "all holds" : problems.counted("problem"))")
        }
        if !report.problems.isEmpty { throw ExitCode(CommandFailure.failed) }
    }

    /// One transaction for each day, so that a server can go on writing.
    private func rebuild(_ configuration: Configuration) throws {
        let archive = try configuration.database.archive(.beside)
        defer { archive.close() }
        let days = try reportingFailures(of: configuration.database.text) {
            try TotalsRebuilding(archive).run()
        }
        if json {
            let value: JSONValue = ["days": JSONValue(days)]
            print(value.text(style: .pretty))
        } else {
            print("totals of \(days.counted("day")) rebuilt")
        }
    }

    private func discardSearchIndex(_ configuration: Configuration) throws {
        let archive = try configuration.database.archive(.beside)
        defer { archive.close() }
        try reportingFailures(of: configuration.database.text) { try archive.discardSearchIndex() }
        print(
            "the indexes of listings and searches are discarded; a server fills them again, in some minutes for ten million links"
        )
    }

    private func check(_ configuration: Configuration) throws -> StoreCheck.Report {
        let archive = try configuration.database.archive(.reading)
        defer { archive.close() }
        return try reportingFailures(of: configuration.database.text) {
            let check = StoreCheck(archive, keys: MetadataKeys(configuration.metadataKeys)) { document in
                ApplicationDocument.application(ApplicationRecord(stored: document).document)?.domains
            } isObject: { metadata in
                (try? JSONValue(parsing: metadata))?.object != nil
            }
            let bar = ProgressBar("checking links", all: try archive.linkCount())
            let report = try check.run { bar.show($0) }
            bar.end()
            return report
        }
    }
}

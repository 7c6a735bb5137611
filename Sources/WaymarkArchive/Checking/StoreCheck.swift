import WaymarkBytes
package import WaymarkLinks
package import WaymarkStores

/// Verifies the invariants of a store. Reads everything once, in the order of the IDs, and changes nothing.
package struct StoreCheck {
    package struct Report: Sendable, Equatable {
        package var links = 0
        package var records = 0
        package var applications = 0
        package var clickBlocks = 0
        /// Days of links with app activity.
        package var activityDays = 0
        /// One sentence per problem, at most `StoreCheck.mostProblems`.
        package var problems: [String] = []
        /// The number of further problems.
        package var further = 0
        /// How the problems are mended.
        package var mendings: Set<Mending> = []
        /// Days of which totals of clicks were compared.
        package var totalsDays = 0

        mutating func note(_ problem: String, _ mending: Mending = .restore) {
            mendings.insert(mending)
            if problems.count < StoreCheck.mostProblems { problems.append(problem) } else { further += 1 }
        }

        /// Runs a part of the check. A row that can't be read at all is a problem, and does not end the check.
        mutating func attempt(
            _ subject: String, _ mending: Mending = .restore, _ body: (inout Report) throws -> Void
        ) throws {
            do {
                try body(&self)
            } catch let error as StoreError {
                guard case .corrupt(let sentence) = error else { throw error }
                note("\(subject): \(sentence)", mending)
            }
        }
    }

    package static let mostProblems = 100
    /// From 1970 to 9999.
    static let plausibleDays = 0...2_932_896

    private let archive: any StoreArchive
    private let keys: MetadataKeys
    /// The domains in an application's document; nil if it can't be read.
    private let domains: @Sendable (_ document: [UInt8]) -> [HostName]?
    private let isObject: @Sendable (_ metadata: [UInt8]) -> Bool

    package init(
        _ archive: any StoreArchive, keys: MetadataKeys,
        domains: @escaping @Sendable (_ document: [UInt8]) -> [HostName]?,
        isObject: @escaping @Sendable (_ metadata: [UInt8]) -> Bool
    ) {
        self.archive = archive
        self.keys = keys
        self.domains = domains
        self.isObject = isObject
    }

    /// - Parameter progress: receives the number of links checked.
    /// - Throws: `StoreError` if the store can't be read at all.
    package func run(progress: (_ links: Int) -> Void) throws -> Report {
        try archive.beginReading()
        defer { archive.endReading() }
        var report = Report()
        for fault in try archive.faults() { report.note(fault) }
        for clash in try archive.aliasClashes(limit: AliasClash.most) { report.note(clash.sentence, .repairAliases) }
        let secrets = try archive.secrets()
        if let problem = keys.problem(with: secrets) { report.note("metadataKeys: \(problem)") }
        if secrets.contains(where: { $0.name == ImportProgress.secretName }) {
            report.note("an import into the database is not finished")
        }
        var applications: [StoredApplication] = []
        try report.attempt("applications") { report in
            applications = try archive.applications()
            report.applications = applications.count
            for application in applications
            where domains(application.document).map(Set.init) != Set(application.domains) {
                report.note("application \(application.id.text): its document can't be read, or names other domains")
            }
        }
        try report.attempt("people, keys and sessions") { report in
            let people = try Set(archive.people().map(\.id))
            for key in try archive.keys() {
                if key.digest.count != 32 { report.note("key \(key.id): the stored value is not a digest") }
                if let person = key.person, !people.contains(person) {
                    report.note("key \(key.id): the person \(person), whom it belongs to, does not exist")
                }
            }
        }
        try report.attempt("registered routes") { _ in _ = try archive.routes() }
        try report.attempt("records of retries, claims and events") { try checkRecords(&$0) }
        try RowChecks(archive, keys: keys).run(&report)
        try report.attempt("links") { report in
            try LinkCheck(archive, keys: keys, applications: applications, isObject: isObject)
                .run(&report, progress: progress)
        }
        try report.attempt("click records") { try checkClicks(&$0) }
        try report.attempt("totals of clicks", .rebuildTotals) { try TotalsCheck(archive).run(&$0) }
        try report.attempt("activity of apps") { try checkActivity(&$0) }
        return report
    }

    private func checkClicks(_ report: inout Report) throws {
        var last: ClickBlock.Key?
        while true {
            let page = try archive.clickBlocks(after: last, limit: StoreEntries.page)
            guard let end = page.last else { return }
            last = end.key
            for block in page {
                report.clickBlocks += 1
                let name = "clicks \(block.key.number) of the link with the id \(block.key.link.rawValue)"
                if !Self.plausibleDays.contains(block.key.day) {
                    report.note("\(name): their day is \(block.key.day) days after 1970-01-01")
                }
                if block.contents == nil { report.note("\(name): they are damaged") }
            }
        }
    }

    private func checkActivity(_ report: inout Report) throws {
        var last: DailyActivity.Key?
        while true {
            let page = try archive.activity(after: last, limit: StoreEntries.page)
            guard let end = page.last else { return }
            last = end.key
            for activity in page {
                report.activityDays += 1
                let name = "the activity of the link with the id \(activity.link.rawValue)"
                if !Self.plausibleDays.contains(activity.day) {
                    report.note("\(name): its day is \(activity.day) days after 1970-01-01")
                }
                if activity.counts.values.contains(where: { $0 < 0 }) {
                    report.note("\(name) on the day \(activity.day): a count is negative")
                }
            }
        }
    }

    private func checkRecords(_ report: inout Report) throws {
        var last: [UInt8]?
        while true {
            let page = try archive.records(after: last, limit: StoreEntries.page)
            guard let end = page.last else { return }
            last = end.scope
            for record in page {
                report.records += 1
                let isReadable =
                    switch record.kind {
                    case 1, 4: true
                    case 2: (try? RedeemRecord(encoded: record.answer)) != nil
                    case 3: (try? ClaimRecord(encoded: record.answer)) != nil
                    default: false
                    }
                if !isReadable { report.note("record \(Hexadecimal.text(record.scope.prefix(8)))… is damaged") }
            }
        }
    }
}

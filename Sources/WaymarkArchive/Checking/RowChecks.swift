import WaymarkJSON
import WaymarkLinks
import WaymarkStores

/// Checks tables row by row, each row by itself.
struct RowChecks {
    private struct Rule {
        var columns: TableColumns
        var mending = Mending.restore
        /// The number of rows that there may be.
        var rows = 0...Int.max
        /// Nil if the row is sound, otherwise what it is and what is wrong with it.
        var problem: (TableRow) throws -> String?
    }

    private let archive: any StoreArchive
    private let keys: MetadataKeys

    init(_ archive: any StoreArchive, keys: MetadataKeys) {
        self.archive = archive
        self.keys = keys
    }

    func run(_ report: inout StoreCheck.Report) throws {
        for rule in small + people + clicks + shipments + webhooks { try run(rule, &report) }
        try checkLeftovers(&report)
    }

    private func run(_ rule: Rule, _ report: inout StoreCheck.Report) throws {
        var count = 0
        try report.attempt("the table \(rule.columns.table)", rule.mending) { report in
            try archive.scan(rule.columns) { row in
                count += 1
                if let problem = try rule.problem(row) { report.note(problem, rule.mending) }
            }
            if !rule.rows.contains(count) {
                report.note("the table \(rule.columns.table) has \(count) rows", rule.mending)
            }
        }
    }

    private func isDay(_ number: Int64) -> Bool { StoreCheck.plausibleDays.contains(Int(number)) }

    private func isAssociationFile(_ row: TableRow) -> Bool {
        HostName(row.text(0)) != nil && AssociationFileName(rawValue: row.text(1)) != nil
    }

    private var small: [Rule] {
        [
            Rule(columns: TableColumns("host", [("name", .text)])) { row in
                HostName(row.text(0)) == nil ? "the host \"\(row.text(0))\" is no host name" : nil
            },
            Rule(columns: TableColumns("application_host", [("host", .text)])) { row in
                HostName(row.text(0)) == nil ? "the host \"\(row.text(0))\" of an application is no host name" : nil
            },
            Rule(
                columns: TableColumns(
                    "application_change", [("version", .number), ("at", .number), ("document", .bytes)])
            ) { row in
                let isReadable = row.bytes(2).isEmpty || (try? JSONValue(parsing: row.bytes(2)))?.object != nil
                return row.number(0) >= 1 && row.number(1) >= 0 && isReadable
                    ? nil : "a change of an application can't be read"
            },
            Rule(columns: TableColumns("application_extra", [("name", .text), ("version", .number)])) { row in
                row.text(0).isEmpty || row.number(1) <= ApplicationExtra.noVersion
                    ? "\"\(row.text(0))\" of an application has the version \(row.number(1))" : nil
            },
            Rule(columns: TableColumns("association_file", [("host", .text), ("file", .text)])) { row in
                isAssociationFile(row) ? nil : "an association file is \"\(row.text(1))\" of \"\(row.text(0))\""
            },
            Rule(
                columns: TableColumns(
                    "association_fetch", [("host", .text), ("file", .text), ("fetcher", .text), ("status", .number)])
            ) { row in
                isAssociationFile(row) && AssociationFetcher(rawValue: row.text(2)) != nil
                    && (100...599).contains(row.number(3))
                    ? nil : "a fetch of an association file of \"\(row.text(0))\" is damaged"
            },
            Rule(columns: TableColumns("import_run", [("id", .text), ("state", .bytes)])) { row in
                (try? JSONValue(parsing: row.bytes(1))) == nil ? "the import \(row.text(0)) can't be read" : nil
            },
            Rule(columns: TableColumns("audit", [("at", .number), ("entry", .bytes)])) { row in
                let day = Timestamp(rawValue: row.number(0)).day
                return StoreCheck.plausibleDays.contains(day) && (try? JSONValue(parsing: row.bytes(1)))?.object != nil
                    ? nil : "an entry of the audit can't be read"
            },
            Rule(columns: TableColumns("link_change_start", [("at", .number)]), rows: 0...1) { _ in nil },
            Rule(columns: TableColumns("search_state", [("indexed", .number)]), mending: .rebuildSearch, rows: 1...1) {
                _ in
                nil
            },
            Rule(columns: TableColumns("document", [("name", .text), ("version", .number), ("content", .bytes)])) {
                row in
                if row.number(1) < 1 { return "the document \(row.text(0)) has the version \(row.number(1))" }
                return sealed("the document \(row.text(0))") { () throws(StoreError) in
                    _ = try keys.opened(row.bytes(2), of: .document(row.text(0)))
                }
            },
            Rule(
                columns: TableColumns(
                    "conversion",
                    [
                        ("day", .number), ("link", .number), ("count", .number), ("whole", .number),
                        ("micros", .number),
                        ("scale", .number), ("currency", .text),
                    ])
            ) { row in
                let name = "conversions of the link with the id \(row.number(1)) on the day \(row.number(0))"
                if !isDay(row.number(0)) { return "\(name): the day is not possible" }
                if row.number(2) < 1 { return "\(name): their count is \(row.number(2))" }
                let isMoney =
                    row.number(4) >= 0 && (0...6).contains(row.number(5)) && abs(row.number(3) / 2) <= Money.limit
                    && (!row.text(6).isEmpty || (row.number(3) == 0 && row.number(4) == 0))
                return isMoney ? nil : "\(name): their sum is no decimal"
            },
        ]
    }

    private var people: [Rule] {
        [
            Rule(columns: TableColumns("person", [("id", .text), ("name", .text)])) { row in
                (1...Person.nameLimit).contains(row.text(1).utf8.count) ? nil : "the person \(row.text(0)) has no name"
            },
            Rule(columns: TableColumns("membership", [("person", .text), ("role", .text)])) { row in
                PersonRole(rawValue: row.text(1)) == nil
                    ? "the person \(row.text(0)) has the role \"\(row.text(1))\", which is none" : nil
            },
            Rule(columns: TableColumns("person_identity", [("person", .text), ("issuer", .text), ("subject", .text)])) {
                row in
                row.text(1).isEmpty || row.text(2).isEmpty
                    ? "an identity of the person \(row.text(0)) names no account" : nil
            },
            Rule(
                columns: TableColumns(
                    "passkey", [("person", .text), ("id", .bytes), ("public_key", .bytes), ("sign_count", .number)])
            ) { row in
                Passkey.idSizes.contains(row.bytes(1).count) && !row.bytes(2).isEmpty
                    && UInt32(exactly: row.number(3)) != nil
                    ? nil : "a passkey of the person \(row.text(0)) is damaged"
            },
            Rule(columns: TableColumns("oauth_client", [("id", .text), ("name", .text), ("redirect_uris", .text)])) {
                row in
                row.text(1).isEmpty || row.text(2).isEmpty ? "a client of OAuth has no name or no address" : nil
            },
            Rule(
                columns: TableColumns(
                    "oauth_grant", [("id", .text), ("code", .bytes), ("access", .bytes), ("refresh", .bytes)])
            ) { row in
                (1...3).allSatisfy { [0, 32].contains(row.bytes($0).count) }
                    ? nil : "a grant of OAuth is damaged"
            },
        ]
    }

    private var clicks: [Rule] {
        [
            Rule(columns: TableColumns("click_total_start", [("day", .number)]), mending: .rebuildTotals, rows: 0...1) {
                row in
                isDay(row.number(0)) ? nil : "totals are kept since the day \(row.number(0))"
            },
            Rule(
                columns: TableColumns(
                    "click_summary", [("span", .number), ("day", .number), ("part", .number), ("bytes", .bytes)]),
                mending: .rebuildTotals
            ) { row in
                guard row.number(2) == -1 else { return nil }
                return [0, 1].contains(row.bytes(3).first)
                    ? nil : "the summary of clicks of the day \(row.number(1)) is damaged"
            },
            Rule(columns: TableColumns("link_deletion", [("day", .number), ("since", .number)])) { row in
                isDay(row.number(0)) && isDay(row.number(1))
                    ? nil : "deletions of links are of the day \(row.number(0))"
            },
            Rule(columns: TableColumns("long_link", [("number", .number)])) { row in
                LinkID(rawValue: row.number(0)).isOfLongLinks
                    ? nil : "clicks on long links are counted under \(row.number(0)), which may be a link"
            },
            Rule(columns: TableColumns("unknown_visit", [("day", .number), ("bytes", .bytes)])) { row in
                isDay(row.number(0)) && (try? UnknownVisits(encoded: row.bytes(1))) != nil
                    ? nil : "visits of unknown addresses on the day \(row.number(0)) are damaged"
            },
        ]
    }

    private var shipments: [Rule] {
        ["click_note", "click_shipment"].map { table in
            let columns: [(String, TableColumns.Kind)] = [
                ("number", .number), ("clicks", .number), ("blocks", .bytes), ("links", .bytes),
            ]
            return Rule(columns: TableColumns(table, columns)) { row in
                (try? ClickNote(blocks: row.bytes(2), deletedLinks: row.bytes(3)))?.clicks == Int(row.number(1))
                    ? nil : "\(table) \(row.number(0)), which another database for clicks has yet to get, is damaged"
            }
        } + [
            // One row says that clicks are shipped, the others belong to shares of totals.
            Rule(columns: TableColumns("click_shipping", [("one", .number)]), rows: 0...33) { row in
                1...33 ~= row.number(0) ? nil : "click_shipping has the row \(row.number(0)), which is none"
            }
        ]
    }

    private var webhooks: [Rule] {
        [
            Rule(
                columns: TableColumns(
                    "webhook", [("id", .text), ("application", .text), ("types", .number), ("document", .bytes)]),
                mending: .deleteEndpoint
            ) { row in
                let application = ApplicationID(row.text(1))
                guard row.isNull(1) || application != nil,
                    let webhook = try? Webhook(id: row.text(0), application: application, encoded: row.bytes(3))
                else { return "the webhook \(row.text(0)) can't be read" }
                let stored = EventTypes(rawValue: row.number(2))
                if webhook.activeTypes.subtracting(.later) != stored.subtracting(.later)
                    || !stored.isSubset(of: webhook.activeTypes)
                {
                    return "the webhook \(row.text(0)) receives other types of events than its document says"
                }
                return sealed("the webhook \(row.text(0))") { () throws(StoreError) in
                    _ = try webhook.opened(with: keys)
                }
            },
            Rule(
                columns: TableColumns(
                    "link_verification", [("link", .number), ("state", .number), ("findings", .bytes)])
            ) { row in
                let isReadable =
                    VerificationState(rawValue: row.number(1)) != nil
                    && (try? [VerificationFinding](encoded: row.bytes(2))) != nil
                return isReadable ? nil : "the verification of the link \(row.number(0)) can't be read"
            },
            Rule(columns: TableColumns("outbox", [("number", .number), ("event", .bytes)])) { row in
                (try? OutboxEvent(encoded: row.bytes(1))) == nil ? "the event \(row.number(0)) can't be read" : nil
            },
            Rule(
                columns: TableColumns(
                    "message", [("number", .number), ("id", .text), ("type", .number), ("body", .bytes)])
            ) {
                row in
                let type = UInt8(exactly: row.number(2)).flatMap { EventType(rawValue: $0) }
                return type == nil || row.text(1).isEmpty || row.bytes(3).isEmpty
                    ? "the message \(row.number(0)) can't be read" : nil
            },
            Rule(
                columns: TableColumns(
                    "webhook_delivery",
                    [
                        ("webhook", .number), ("message", .number), ("state", .number), ("attempts", .bytes),
                        ("lane", .number),
                    ])
            ) { row in
                let state = UInt8(exactly: row.number(2)).flatMap { WebhookDelivery.State(rawValue: $0) }
                return state == nil || (try? WebhookDelivery.Attempt.decode(row.bytes(3))) == nil
                    || DeliveryLane(rawValue: row.number(4)) == nil
                    ? "the delivery of the message \(row.number(1)) can't be read" : nil
            },
            Rule(columns: TableColumns("expiry_report", [("expires_at", .number)]), rows: 0...1) { _ in nil },
        ]
    }

    /// A missing key is one problem, which was reported.
    private func sealed(_ name: String, _ open: () throws(StoreError) -> Void) -> String? {
        do throws(StoreError) {
            try open()
            return nil
        } catch {
            guard case .corrupt(let sentence) = error else { return nil }
            return "\(name): \(sentence)"
        }
    }

    /// A store deletes the clicks of these links.
    private func checkLeftovers(_ report: inout StoreCheck.Report) throws {
        var links: [LinkID] = []
        try archive.scan(TableColumns("click_leftover", [("link", .number)])) { row in
            links.append(LinkID(rawValue: row.number(0)))
        }
        for start in stride(from: 0, to: links.count, by: StoreEntries.page) {
            for link in try archive.existing(Array(links[start...].prefix(StoreEntries.page))) {
                report.note("the link with the id \(link.rawValue) exists, and its clicks are to be deleted", .restore)
            }
        }
    }
}

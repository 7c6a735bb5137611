import WaymarkLinks
import WaymarkStores

extension LinkStoreContract {
    private static func run(_ id: String, at time: Int64 = 1_000) -> StoredImportRun {
        StoredImportRun(
            id: id, key: "k", application: "shop", server: "s1", createdAt: Timestamp(rawValue: time), state: [1])
    }

    private static func step(
        _ id: String, server: String = "s1", at time: Int64, hasEnded: Bool = false, piece: ImportRunStep.Piece? = nil
    ) -> ImportRunStep {
        ImportRunStep(
            id: id, server: server, now: Timestamp(rawValue: time), state: [2], hasEnded: hasEnded, piece: piece)
    }

    static let importRuns = [
        LinkStoreContract("stores how far an import is, for all servers") { store in
            let runs = store.importRuns
            try expect(try await runs.importRun("a") == nil, "there is no import yet")
            try await runs.insert(run("a"))
            try await runs.insert(run("b", at: 2_000))
            try expect(try await runs.importRun("a"), is: run("a"))
            try expect(try await runs.importRuns().map(\.id), is: ["b", "a"])
            try expect(try await runs.advance(step("a", at: 1_500)), is: .goOn)
            var expected = run("a")
            (expected.seenAt, expected.state) = (Timestamp(rawValue: 1_500), [2])
            try expect(try await runs.importRun("a"), is: expected)
            try expect(try await runs.advance(step("a", at: 1_600, hasEnded: true)), is: .goOn)
            try expect(try await runs.advance(step("a", at: 1_700, hasEnded: true)), is: .goOn)
            try expect(try await runs.importRun("a")?.endedAt, is: Timestamp(rawValue: 1_600))
        },
        LinkStoreContract("passes a stop on to the server of an import") { store in
            let runs = store.importRuns
            try await runs.insert(run("a"))
            try expect(try await runs.requestStop(ofImport: "a"), is: true)
            try expect(try await runs.requestStop(ofImport: "b"), is: false)
            try expect(try await runs.importRun("a")?.isStopRequested, is: true)
            try expect(try await runs.advance(step("a", at: 1_100)), is: .stop)
            try expect(try await runs.advance(step("a", at: 1_200, hasEnded: true)), is: .stop)
            try expect(try await runs.requestStop(ofImport: "a"), is: false)
        },
        LinkStoreContract("stores each piece of a report once, and forgets it with its import") { store in
            let runs = store.importRuns
            try await runs.insert(run("a"))
            for (number, bytes) in [(0, [7]), (0, [7]), (1, [8, 9] as [UInt8])] {
                _ = try await runs.advance(step("a", at: 1_100, piece: .init(number: number, bytes: bytes)))
            }
            try expect(try await runs.importRun("a")?.reportBytes, is: 3)
            try expect(try await runs.reportPiece(0, ofImport: "a"), is: [7])
            try expect(try await runs.reportPiece(1, ofImport: "a"), is: [8, 9])
            try expect(try await runs.reportPiece(2, ofImport: "a"), is: nil)
            // One that runs is not forgotten.
            try await runs.forgetImports(["a"])
            try expect(try await runs.importRuns().count, is: 1)
            _ = try await runs.advance(step("a", at: 1_200, hasEnded: true))
            try await runs.forgetImports(["a", "b"])
            try expect(try await runs.importRuns().count, is: 0)
            try expect(try await runs.reportPiece(0, ofImport: "a"), is: nil)
        },
        LinkStoreContract("abandons an import only if its server has gone silent") { store in
            let runs = store.importRuns
            try await runs.insert(run("a"))
            let old = try require(try await runs.importRun("a"))
            _ = try await runs.advance(step("a", at: 1_100))
            let now = Timestamp(rawValue: 9_000)
            try expect(try await runs.abandon(old, state: [3], at: now), is: false)
            let current = try require(try await runs.importRun("a"))
            try expect(try await runs.abandon(current, state: [3], at: now), is: true)
            try expect(try await runs.abandon(current, state: [4], at: now), is: false)
            try expect(try await runs.importRun("a")?.endedAt, is: now)
            try expect(try await runs.importRun("a")?.state, is: [3])
            // A server that was only slow has lost it.
            try expect(try await runs.advance(step("a", at: 9_100)), is: .lost)
            try expect(try await runs.importRun("a")?.state, is: [3])
            // One entry says that it has ended, by nobody.
            let entries = try await store.audit.auditEntries(AuditQuery(limit: 9)).entries
            let found = entries.map { String(decoding: $0, as: UTF8.self) }
            try expect(found.count, is: 1)
            let end = #""by":{"via":null,"person":null,"key":null},"action":"import.ended""#
            try expect(found[0].contains(end), found[0])
        },
    ]
}

package import WaymarkLinks

extension MemoryLinkStore: ImportRunStore {
    package var importRuns: any ImportRunStore { self }

    package func insert(_ run: StoredImportRun) async throws(StoreError) {
        try withState { $0.imports[run.id] = .init(run: run) }
    }

    package func importRun(_ id: String) async throws(StoreError) -> StoredImportRun? {
        try withState { $0.imports[id]?.run }
    }

    package func importRuns() async throws(StoreError) -> [StoredImportRun] {
        try withState { state in
            state.imports.values.map(\.run).sorted { ($1.createdAt, $1.id) < ($0.createdAt, $0.id) }
        }
    }

    package func advance(_ step: ImportRunStep) async throws(StoreError) -> ImportRunOrder {
        try withState { state in
            guard var found = state.imports[step.id], found.run.server == step.server else { return .lost }
            found.run.seenAt = step.now
            found.run.state = step.state
            if step.hasEnded { found.run.endedAt = found.run.endedAt ?? step.now }
            if let piece = step.piece, found.report.count <= piece.number {
                found.report.append(piece.bytes)
                found.run.reportBytes += piece.bytes.count
            }
            state.imports[step.id] = found
            return found.run.isStopRequested ? .stop : .goOn
        }
    }

    package func requestStop(ofImport id: String) async throws(StoreError) -> Bool {
        try withState { state in
            guard let run = state.imports[id]?.run, run.endedAt == nil else { return false }
            state.imports[id]?.run.isStopRequested = true
            return true
        }
    }

    package func abandon(
        _ run: StoredImportRun, state text: [UInt8], at now: Timestamp
    ) async throws(StoreError) -> Bool {
        try withState { state in
            guard var found = state.imports[run.id], found.run.endedAt == nil, found.run.server == run.server,
                found.run.seenAt == run.seenAt
            else { return false }
            found.run.server = ""
            found.run.state = text
            found.run.endedAt = now
            state.imports[run.id] = found
            return true
        }
    }

    package func reportPiece(_ number: Int, ofImport id: String) async throws(StoreError) -> [UInt8]? {
        try withState { state in
            guard let report = state.imports[id]?.report, report.indices.contains(number) else { return nil }
            return report[number]
        }
    }

    package func forgetImports(_ ids: [String]) async throws(StoreError) {
        try withState { state in
            for id in ids where state.imports[id]?.run.endedAt != nil { state.imports[id] = nil }
        }
    }
}

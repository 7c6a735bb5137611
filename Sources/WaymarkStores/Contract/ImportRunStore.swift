package import WaymarkLinks

/// The imports over the API, as all servers of a database see them, and their reports.
///
/// Throws: `StoreError` only.
package protocol ImportRunStore: Sendable {
    func insert(_ run: StoredImportRun) async throws(StoreError)
    func importRun(_ id: String) async throws(StoreError) -> StoredImportRun?
    /// The newest first.
    func importRuns() async throws(StoreError) -> [StoredImportRun]
    /// Stores how far a run is. To be repeated with the same value after an error: nothing is stored twice.
    func advance(_ step: ImportRunStep) async throws(StoreError) -> ImportRunOrder
    /// - Returns: whether there is such a run that has not ended.
    func requestStop(ofImport id: String) async throws(StoreError) -> Bool
    /// Ends a run whose server is gone, unless that has written since `run` was read.
    ///
    /// - Returns: whether it was ended.
    func abandon(_ run: StoredImportRun, state: [UInt8], at now: Timestamp) async throws(StoreError) -> Bool
    /// A piece of a report; nil after the last one.
    ///
    /// - Parameter number: from 0.
    func reportPiece(_ number: Int, ofImport id: String) async throws(StoreError) -> [UInt8]?
    /// Deletes runs that have ended, with their reports.
    func forgetImports(_ ids: [String]) async throws(StoreError)
}

package struct StoredImportRun: Sendable, Equatable {
    /// Visible ASCII, as the other texts.
    package var id: String
    /// The ID of the key that started it.
    package var key: String
    package var application: String
    /// The process that runs it; empty once it is abandoned.
    package var server: String
    /// When that server last stored how far it is.
    package var seenAt: Timestamp
    package var isStopRequested = false
    package var createdAt: Timestamp
    package var endedAt: Timestamp?
    /// What callers read of it.
    package var state: [UInt8]
    package var reportBytes = 0

    package init(
        id: String, key: String, application: String, server: String, createdAt: Timestamp, state: [UInt8]
    ) {
        self.id = id
        self.key = key
        self.application = application
        self.server = server
        self.createdAt = createdAt
        seenAt = createdAt
        self.state = state
    }
}

/// How far a run is.
package struct ImportRunStep: Sendable, Equatable {
    package struct Piece: Sendable, Equatable {
        /// From 0, without gaps.
        package var number: Int
        package var bytes: [UInt8]

        package init(number: Int, bytes: [UInt8]) {
            self.number = number
            self.bytes = bytes
        }
    }

    package var id: String
    package var server: String
    package var now: Timestamp
    package var state: [UInt8]
    package var hasEnded: Bool
    /// The next piece of the report.
    package var piece: Piece?

    package init(id: String, server: String, now: Timestamp, state: [UInt8], hasEnded: Bool, piece: Piece?) {
        self.id = id
        self.server = server
        self.now = now
        self.state = state
        self.hasEnded = hasEnded
        self.piece = piece
    }
}

/// What a server learns when it stores how far its run is.
package enum ImportRunOrder: Sendable, Equatable {
    case goOn
    case stop
    /// The run is no longer this server's, and nothing was stored.
    case lost
}

import GRDBSQLite
import WaymarkLinks
import WaymarkStores

/// SQLite with nothing around it, adding the rows that the store would add to the same tables: what all else is held
/// against. It decides nothing, looks nothing up and answers nobody.
///
/// Safety: the handle and its statements are opened in `init`, used by one thread, and closed in `deinit`, statements first.
/// Buffers are bound with their counts, and SQLite copies them during the call (SQLITE_TRANSIENT).
@safe
final class BareDatabase {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private var handle: OpaquePointer?
    private let link: OpaquePointer?
    private let metadata: OpaquePointer?
    private let tag: OpaquePointer?
    private let transient = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    init(_ path: String) throws {
        guard unsafe sqlite3_open(path, &handle) == SQLITE_OK else {
            throw Failure(description: "\(path) can't be opened")
        }
        // As the store has it.
        for pragma in [
            "journal_mode = WAL", "synchronous = FULL", "cache_size = -16384", "wal_autocheckpoint = 4000",
            "foreign_keys = ON",
        ] { unsafe sqlite3_exec(handle, "PRAGMA \(pragma)", nil, nil, nil) }
        unsafe link = unsafe Self.statement(
            """
            INSERT INTO link (application, host, slug, version, has_metadata, redeem_limit, redeemed, max_clicks, reserved,
                created_at, updated_at, content, identity)
            VALUES (1, 1, ?, 1, ?, ?, 0, NULL, 0, ?, ?, ?, NULL)
            """, handle)
        unsafe metadata = unsafe Self.statement(
            "INSERT INTO link_metadata (link, metadata) VALUES (last_insert_rowid(), ?)", handle)
        unsafe tag = unsafe Self.statement("INSERT INTO link_tag (tag, link) VALUES (?, ?)", handle)
        guard unsafe link != nil, unsafe metadata != nil, unsafe tag != nil else { throw failure }
    }

    private static func statement(_ sql: String, _ handle: OpaquePointer?) -> OpaquePointer? {
        var statement: OpaquePointer?
        unsafe sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
        return unsafe statement
    }

    /// Adds the links in one transaction.
    func add(_ drafts: ArraySlice<NewLink>) throws {
        try run("BEGIN IMMEDIATE")
        for draft in drafts {
            let content = LinkContentCodec.encode(draft.content)
            unsafe sqlite3_bind_text(link, 1, draft.storedSlug.text, -1, transient)
            unsafe sqlite3_bind_int(link, 2, draft.metadata == nil ? 0 : 1)
            unsafe sqlite3_bind_int64(link, 3, Int64(draft.content.redeemLimit))
            unsafe sqlite3_bind_int64(link, 4, draft.createdAt.rawValue)
            unsafe sqlite3_bind_int64(link, 5, draft.createdAt.rawValue)
            unsafe sqlite3_bind_blob(link, 6, content, Int32(content.count), transient)
            // Like the store, which answers that the slug is taken.
            guard unsafe try step(link) else { continue }
            let id = unsafe sqlite3_last_insert_rowid(handle)
            if let bytes = draft.metadata {
                unsafe sqlite3_bind_blob(metadata, 1, bytes, Int32(bytes.count), transient)
                _ = unsafe try step(metadata)
            }
            for name in draft.content.tags {
                unsafe sqlite3_bind_text(tag, 1, name, -1, transient)
                unsafe sqlite3_bind_int64(tag, 2, id)
                _ = unsafe try step(tag)
            }
        }
        try run("COMMIT")
    }

    private func step(_ statement: OpaquePointer?) throws -> Bool {
        defer { unsafe sqlite3_reset(statement) }
        switch unsafe sqlite3_step(statement) {
        case SQLITE_DONE: return true
        case SQLITE_CONSTRAINT: return false
        default: throw failure
        }
    }

    private func run(_ sql: String) throws {
        guard unsafe sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw failure }
    }

    private var failure: Failure { Failure(description: unsafe "SQLite: \(String(cString: sqlite3_errmsg(handle)))") }

    deinit {
        unsafe [link, metadata, tag].forEach { statement in unsafe sqlite3_finalize(statement) }
        unsafe sqlite3_close(handle)
    }
}

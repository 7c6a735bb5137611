import Testing
import WaymarkLinks
import WaymarkStores

@testable import WaymarkSQLite

/// With ten million links, what is not one walk along an index is too slow, and no test with few links would notice.
@Suite struct QueryPlanTests {
    private static let leaves = "sqlite_autoindex_search_leaf_1"
    private static let packed =
        "SEARCH click_total_day USING INDEX sqlite_autoindex_click_total_day_1 (application=? AND day"

    @Test(arguments: [
        (LinkRow.byID, "SEARCH link USING INTEGER PRIMARY KEY (rowid=?)"),
        (LinkRow.byAddress, "SEARCH link USING INDEX link_address (slug=? AND host=?)"),
        (LinkRow.byAlias, "SEARCH link USING INTEGER PRIMARY KEY (rowid=?)"),
        (LinkRow.bySlug, "SEARCH link USING INTEGER PRIMARY KEY (rowid=?)"),
        (HistoryRow.ofLink, "SEARCH link_change USING PRIMARY KEY (link=? AND version<?)"),
        (HistoryRow.from, "SEARCH link_change USING PRIMARY KEY (link=? AND version=?)"),
        (HistoryRow.ofLinks, "SEARCH link_change USING PRIMARY KEY (link>? AND link<?)"),
        (LinkRow.newest, "SEARCH link USING INTEGER PRIMARY KEY (rowid<?)"),
        (LinkRow.newestOfApplication, "SEARCH link USING INDEX link_application (application=? AND rowid<?)"),
        (LinkRow.newestOfTag, "SEARCH link_tag USING PRIMARY KEY (tag=? AND link<?)"),
        (LinkRow.oldest, "SEARCH link USING INTEGER PRIMARY KEY (rowid>?)"),
        (LinkRow.oldestOfApplication, "SEARCH link USING INDEX link_application (application=? AND rowid>?)"),
        (LinkRow.oldestOfTag, "SEARCH link_tag USING PRIMARY KEY (tag=? AND link>?)"),
        (LinkRow.mostClicked, "SEARCH click_order USING COVERING INDEX click_order_clicks ((clicks,link)<(?,?))"),
        (LinkRow.neverClicked, "SEARCH link USING INTEGER PRIMARY KEY (rowid<?)"),
        (LinkRow.nextToExpire, "SEARCH link_expiry USING PRIMARY KEY ((expires_at,link)>(?,?))"),
        (SearchRows.leaf, "SEARCH search_leaf USING INDEX \(leaves) (segment=? AND part=? AND first<?)"),
        (SearchRows.furtherLeaves, "SEARCH search_leaf USING INDEX \(leaves) (segment=? AND part=? AND first>?)"),
        (SearchRows.nextPart, "SEARCH search_leaf USING COVERING INDEX \(leaves) ((segment,part)>(?,?))"),
        (SearchRows.changedDescending, "SEARCH search_change USING PRIMARY KEY (link<?)"),
    ])
    func walksOneIndex(sql: String, first: String) async throws {
        let store = try SQLiteLinkStore(path: ":memory:")
        let plan = try await store.plan(of: sql)
        #expect(plan.first == first)
        #expect(!plan.contains { $0.hasPrefix("SCAN") })
        // Few links have one slug; everything else comes in its order by itself.
        #expect(sql == LinkRow.bySlug || !plan.contains { $0.contains("TEMP B-TREE") })
        await store.close()
    }

    /// An endpoint may have got millions of messages, and thousands may wait for one.
    @Test(arguments: [
        SQLStatement.due(to: "", in: .changes, at: Timestamp(rawValue: 0), limit: 1),
        SQLStatement.due(to: "", in: .clicks, at: Timestamp(rawValue: 0), limit: 1),
        SQLStatement.release(firstWith: 0, of: 0), SQLStatement.oldestClicks(to: 0, limit: 1),
    ])
    func deliveriesAreFoundAmongThoseThatWait(statement: SQLStatement) async throws {
        let store = try SQLiteLinkStore(path: ":memory:")
        let plan = try await store.plan(of: statement.text)
        #expect(!plan.contains { $0.hasPrefix("SCAN") || $0.contains("TEMP B-TREE") }, "\(plan)")
        #expect(
            !plan.contains {
                $0.contains("PRIMARY KEY (webhook=?)") || $0.contains("message<?") && $0.contains("PRIMARY KEY")
            })
        await store.close()
    }

    /// Each goes from day to day along the table's own order, and never over the blocks in between.
    @Test(arguments: [
        (ClickRows.ofDay, ["SEARCH click_block USING PRIMARY KEY (day=? AND link=? AND number>?)"]),
        (ShipmentRows.block, ["SEARCH block USING PRIMARY KEY (day=? AND link=? AND number=?)"]),
        (ShipmentRows.blocksOfDay, ["SEARCH block USING PRIMARY KEY (day=? AND (link,number)>(?,?))"]),
        (ClickRows.nextDay, ["SEARCH click_block USING PRIMARY KEY (day>?)"]),
        (
            ClickRows.removalOfLink,
            [
                "SEARCH click_block USING PRIMARY KEY (day=? AND link=? AND number=?)",
                "SEARCH block USING PRIMARY KEY (day=? AND link=?)", "SEARCH click_block USING PRIMARY KEY (day>?)",
            ]
        ),
        (TotalRows.recordedBlocks, ["SEARCH block USING PRIMARY KEY ((day,link,number)>(?,?,?) AND day<?)"]),
        (TotalRows.ofPage, ["SEARCH click_total_link USING PRIMARY KEY (day=? AND page=?)"]),
        (TotalRows.ofDays, ["SEARCH click_total_link USING PRIMARY KEY ((day,page)>(?,?) AND day<?)"]),
        (TotalRows.ofApplication, ["SEARCH click_total USING PRIMARY KEY (application=? AND quarter>? AND quarter<?)"]),
        (TotalRows.ofApplication, ["\(packed)>? AND day<?)"]),
        (PackedRows.ofDay, ["\(packed)=?)"]),
        (PackedRows.ofAll, ["\(packed)=?)"]),
        (PackedRows.next, ["SEARCH click_total USING PRIMARY KEY (application=? AND quarter>? AND quarter<?)"]),
        (
            SummaryRows.part,
            ["SEARCH click_summary USING INDEX sqlite_autoindex_click_summary_1 (span=? AND day=? AND part=?)"]
        ),
        (SummaryRows.states, ["SEARCH click_summary USING INDEX click_summary_state (span=? AND day>? AND day<?)"]),
        (TotalRows.linkIDs, ["SEARCH link USING COVERING INDEX link_application (application=? AND rowid>?)"]),
        (
            ClickRows.removalOfDays,
            [
                "SEARCH click_block USING PRIMARY KEY (day=? AND link=? AND number=?)",
                "SEARCH click_block USING PRIMARY KEY (day<?)",
            ]
        ),
    ])
    func probesClicksByDay(sql: String, steps: [String]) async throws {
        let store = try SQLiteLinkStore(path: ":memory:")
        let plan = try await store.plan(of: sql)
        for step in steps { #expect(plan.contains(step), "\(plan)") }
        #expect(!plan.contains { $0.hasPrefix("SCAN click_block") || $0.hasPrefix("SCAN block") }, "\(plan)")
        await store.close()
    }
}

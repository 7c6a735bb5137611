internal import GRDB
import WaymarkLinks
package import WaymarkStores

extension SQLiteArchive {
    package func discardSearchIndex() throws(StoreError) {
        try transact { database in
            // Servers remove the leaves of parts that are not listed.
            try database.run("DELETE FROM search_part")
            try database.run("DELETE FROM search_change")
            try database.run("DELETE FROM search_state")
            try database.run("INSERT INTO search_state (indexed) VALUES (0)")
            try database.run("DELETE FROM click_order")
        }
    }

    package func rebuildTotals(of day: Int) throws(StoreError) {
        try transact { database in
            try WriteSession(database, metadataKeys: .none).replaceTotals(of: day, by: database.count(day))
        }
    }

    package func endRebuilding() throws(StoreError) {
        try transact { database in
            try database.run("DELETE FROM click_total_start")
            try database.run("DELETE FROM click_summary")
        }
    }
}

internal import GRDB
import WaymarkLinks
package import WaymarkStores

extension SQLiteArchive {
    package func missingTags(_ tags: [StoredTag]) throws(StoreError) -> [StoredTag] {
        try perform { database in
            try tags.filter { pair in
                try database.row(
                    "SELECT 1 FROM link_tag WHERE tag = ? AND link = ?", [pair.tag, pair.link.rawValue]
                ) { try $0.number(0) } == nil
            }
        }
    }

    package func missingAliases(_ aliases: [StoredAlias]) throws(StoreError) -> [StoredAlias] {
        try perform { database in
            try aliases.filter { alias in
                try database.row(
                    """
                    SELECT 1 FROM link_alias
                    WHERE slug = ? AND host = (SELECT number FROM host WHERE name = ?) AND link = ?
                    """, [alias.slug.text, alias.domain.text, alias.link.rawValue]
                ) { try $0.number(0) } == nil
            }
        }
    }

    package func missingFolded(_ names: [StoredAlias]) throws(StoreError) -> [StoredAlias] {
        try perform { database in
            let ignoring = "SELECT number FROM application WHERE slug_rules & \(SlugRules.ignoreCase.rawValue) <> 0"
            guard try database.row(ignoring, [], { try $0.number(0) }) != nil else { return [] }
            return try names.filter { name in
                try database.row(
                    """
                    SELECT 1 FROM link WHERE id = ?3 AND application IN (\(ignoring)) AND NOT EXISTS (
                        SELECT 1 FROM link_folded
                        WHERE slug = ?1 AND host = (SELECT number FROM host WHERE name = ?2) AND link = ?3)
                    """, [name.slug.caseFolded, name.domain.text, name.link.rawValue]
                ) { try $0.number(0) } != nil
            }
        }
    }

    package func faults() throws(StoreError) -> [String] {
        try perform { database in
            var faults: [String] = []
            // Checks pages, indexes and types; returns "ok" if there are no errors.
            let integrity = try String.fetchAll(database, sql: "PRAGMA integrity_check(100)")
            if integrity != ["ok"] { faults += integrity.map { "the file: \($0)" } }
            let references = try Row.fetchAll(database, sql: "PRAGMA foreign_key_check")
            for row in references.prefix(100) {
                let table = (try? row.text(0)) ?? "a table"
                let number = (try? row.optionalNumber(1)).flatMap { $0 }.map { " \($0)" } ?? ""
                faults.append("row\(number) of \(table) refers to nothing")
            }
            let tags = try Int.fetchOne(
                database, sql: "SELECT count(*) FROM link_tag WHERE link NOT IN (SELECT id FROM link)")
            if let tags, tags > 0 { faults.append("\(tags) tags belong to links that do not exist") }
            let blocks = try Int.fetchOne(
                database,
                sql: """
                    SELECT count(*) FROM click_block
                    WHERE NOT (\(ClickRows.isOwned)) AND link NOT IN (SELECT link FROM click_leftover)
                    """)
            if let blocks, blocks > 0 { faults.append("\(blocks) blocks of clicks belong to links that do not exist") }
            return faults
        }
    }
}

internal import GRDB
internal import WaymarkLinks
internal import WaymarkStores

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Column accessors that replace GRDB's typed subscripts, which trap if a damaged database contains another type.
extension Row {
    func number(_ column: Int) throws(StoreError) -> Int64 {
        guard let number = try optionalNumber(column) else { throw Self.damaged }
        return number
    }

    func count(_ column: Int) throws(StoreError) -> Int {
        guard let count = Int(exactly: try number(column)), count >= 0 else { throw Self.damaged }
        return count
    }

    func optionalNumber(_ column: Int) throws(StoreError) -> Int64? {
        let value: DatabaseValue = self[column]
        switch value.storage {
        case .null: return nil
        case .int64(let number): return number
        default: throw Self.damaged
        }
    }

    func timestamp(_ column: Int) throws(StoreError) -> Timestamp { Timestamp(rawValue: try number(column)) }

    func text(_ column: Int) throws(StoreError) -> String {
        let value: DatabaseValue = self[column]
        guard case .string(let text) = value.storage else { throw Self.damaged }
        return text
    }

    func optionalText(_ column: Int) throws(StoreError) -> String? {
        let value: DatabaseValue = self[column]
        if value.isNull { return nil }
        return try text(column)
    }

    func bytes(_ column: Int) throws(StoreError) -> [UInt8] {
        let value: DatabaseValue = self[column]
        guard case .blob(let data) = value.storage else { throw Self.damaged }
        return [UInt8](data)
    }

    static var damaged: StoreError { .corrupt("a row of the database is damaged") }
}

extension [UInt8] {
    /// As a value for SQLite.
    var blob: DatabaseValue { Data(self).databaseValue }
}

extension [UInt8]? {
    var blob: DatabaseValue { self?.blob ?? .null }
}

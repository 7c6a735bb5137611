#if PostgreSQL
    internal import CWaymarkPostgres
    internal import WaymarkStores
    internal import WaymarkLinks

    /// The server's result of one statement, in binary format. Every access checks row, column, type and length: a
    /// damaged database causes errors, not traps.
    ///
    /// Safe because libpq's result never leaves it: it returns only copies.
    @safe final class QueryResult {
        private let result: OpaquePointer
        let count: Int

        /// Takes ownership of the result and frees it at the end.
        init(_ result: OpaquePointer) {
            unsafe self.result = unsafe result
            count = unsafe Int(PQntuples(result))
        }

        deinit {
            // Sound because nothing else refers to it: all values read from it are copies.
            unsafe PQclear(result)
        }

        /// Number of rows changed by a statement that returns none.
        var changed: Int {
            // The text is part of the result, so it is copied before the result can be freed.
            unsafe PQcmdTuples(result).flatMap { unsafe Int(String(cString: $0)) } ?? 0
        }

        func isNull(_ row: Int, _ column: Int) throws(StoreError) -> Bool {
            // Checked here, because libpq returns NULL for cells that don't exist.
            guard row >= 0, row < count, column >= 0, unsafe column < Int(PQnfields(result)) else { throw Self.damaged }
            return unsafe PQgetisnull(result, Int32(row), Int32(column)) != 0
        }

        /// An integer of any width, or a boolean as 0 or 1.
        func number(_ row: Int, _ column: Int) throws(StoreError) -> Int64 {
            guard let number = try optionalNumber(row, column) else { throw Self.damaged }
            return number
        }

        func optionalNumber(_ row: Int, _ column: Int) throws(StoreError) -> Int64? {
            let width = unsafe try withBytes(row, column) { $0.count }
            guard let width else { return nil }
            guard [1, 2, 4, 8].contains(width) else { throw Self.damaged }
            return unsafe try withBytes(row, column) { bytes in
                var value: Int64 = 0
                for unsafe(index, byte) in unsafe bytes.enumerated() {
                    value = index == 0 && width > 1 ? Int64(Int8(bitPattern: byte)) : value << 8 | Int64(byte)
                }
                return value
            }
        }

        func count(_ row: Int, _ column: Int) throws(StoreError) -> Int {
            guard let count = Int(exactly: try number(row, column)), count >= 0 else { throw Self.damaged }
            return count
        }

        func timestamp(_ row: Int, _ column: Int) throws(StoreError) -> Timestamp {
            Timestamp(rawValue: try number(row, column))
        }

        func bytes(_ row: Int, _ column: Int) throws(StoreError) -> [UInt8] {
            guard let bytes = try optionalBytes(row, column) else { throw Self.damaged }
            return bytes
        }

        // Sound below because the bytes are copied before the result can be freed.

        func optionalBytes(_ row: Int, _ column: Int) throws(StoreError) -> [UInt8]? {
            unsafe try withBytes(row, column) { unsafe Array($0) }
        }

        func text(_ row: Int, _ column: Int) throws(StoreError) -> String {
            guard let text = try optionalText(row, column) else { throw Self.damaged }
            return text
        }

        func optionalText(_ row: Int, _ column: Int) throws(StoreError) -> String? {
            unsafe try withBytes(row, column) { unsafe String(decoding: $0, as: UTF8.self) }
        }

        static var damaged: StoreError { .corrupt("a row of the database is damaged") }

        private func withBytes<Value>(
            _ row: Int, _ column: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Value
        ) throws(StoreError) -> Value? {
            guard try !isNull(row, column) else { return nil }
            // Sound because the cell exists and libpq keeps its bytes, with a terminating zero, as long as the
            // result.
            let length = unsafe Int(PQgetlength(result, Int32(row), Int32(column)))
            guard let start = unsafe PQgetvalue(result, Int32(row), Int32(column)) else { throw Self.damaged }
            return unsafe start.withMemoryRebound(to: UInt8.self, capacity: length) {
                unsafe body(UnsafeBufferPointer(start: $0, count: length))
            }
        }
    }
#endif

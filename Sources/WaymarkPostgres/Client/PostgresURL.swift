#if PostgreSQL
    internal import CWaymarkPostgres
    internal import WaymarkStores
    internal import WaymarkLinks

    /// The database's URL, as libpq parses it: `postgres://user:password@host:port/database?sslmode=verify-full`,
    /// with every parameter of libpq. Never printed whole: it may contain a password.
    struct PostgresURL: Sendable {
        let text: String
        /// `PostgreSQL at db.example.com:5432`.
        let location: String

        static let rule = "must be postgres://… as libpq reads it"

        /// - Throws: `.unavailable` if libpq rejects it. Its own message is dropped, because it may quote the
        ///   password.
        init(_ text: String) throws(StoreError) {
            let malformed = StoreError.unavailable("the database URL \(Self.rule)")
            guard text.hasPrefix("postgres://") || text.hasPrefix("postgresql://"), !text.utf8.contains(0) else {
                throw malformed
            }
            // Sound because libpq's list ends with an entry without a keyword and is freed after the loop, and its
            // texts are copied.
            var message: UnsafeMutablePointer<CChar>?
            let options = unsafe PQconninfoParse(text, &message)
            defer {
                unsafe PQfreemem(message)
                unsafe PQconninfoFree(options)
            }
            guard var option = unsafe options else { throw malformed }
            var values: [String: String] = [:]
            while let keyword = unsafe option.pointee.keyword {
                if let value = unsafe option.pointee.val {
                    unsafe values[String(cString: keyword)] = String(cString: value)
                }
                unsafe option = option.successor()
            }
            self.text = text
            let host = values["host"] ?? values["hostaddr"] ?? "localhost"
            location = "PostgreSQL at \(host):\(values["port"] ?? "5432")"
        }
    }

    extension PostgresURL: CustomStringConvertible, CustomReflectable {
        var description: String { location }
        var customMirror: Mirror { Mirror(self, children: ["place": location]) }
    }
#endif

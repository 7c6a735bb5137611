#if PostgreSQL
    internal import CWaymarkPostgres
    internal import WaymarkLinks
    internal import WaymarkStores

    /// The database's URL, as libpq parses it: `postgres://user:password@host:port/database?sslmode=verify-full`,
    /// with every parameter of libpq. Never printed whole: it may contain a password.
    struct PostgresURL: Sendable {
        let text: String
        /// `PostgreSQL at db.example.com:5432`.
        let location: String
        let hosts: [Host]

        /// One of several hosts of a URL, and its port; empty as in the URL.
        struct Host: Sendable, Equatable {
            var name: String
            var address: String
            var port: String

            /// As keywords that override the URL.
            var settings: [(keyword: String, value: String)] {
                [("host", name), ("hostaddr", address), ("port", port)]
            }
        }

        /// Values of parameters that libpq would refuse at each connection; it parses any.
        private static let choices: [(name: String, values: [String])] = [
            ("sslmode", ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"]),
            ("channel_binding", ["disable", "prefer", "require"]), ("gssencmode", ["disable", "prefer", "require"]),
            // Others are replicas, which can't be written.
            ("target_session_attrs", ["any", "read-write", "primary", "prefer-standby"]),
        ]

        /// - Throws: `.unavailable` if libpq rejects it, or could never connect with it. Its own message is dropped, because it may
        ///   quote the password.
        init(_ text: String) throws(StoreError) {
            let malformed = StoreError.unavailable("the database URL must be postgres://… as libpq reads it")
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
            if let problem = Self.problem(text, values) { throw .unavailable("the database URL \(problem)") }
            self.text = text
            hosts = Self.hosts(values)
            let host = values["host"] ?? values["hostaddr"] ?? "localhost"
            location = "PostgreSQL at \(host):\(values["port"] ?? "5432")"
        }

        private static func list(_ values: [String: String], _ name: String) -> [String] {
            guard let text = values[name], !text.isEmpty else { return [] }
            return text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }

        private static func hosts(_ values: [String: String]) -> [Host] {
            let (names, addresses, ports) = (list(values, "host"), list(values, "hostaddr"), list(values, "port"))
            func value(_ list: [String], _ index: Int) -> String {
                list.count == 1 ? list[0] : index < list.count ? list[index] : ""
            }
            return (0..<max(1, names.count, addresses.count)).map {
                // An empty value would not override the URL's list.
                let port = value(ports, $0)
                return Host(
                    name: value(names, $0), address: value(addresses, $0),
                    port: port.isEmpty && !ports.isEmpty ? "5432" : port)
            }
        }

        /// What is wrong with a URL that libpq can parse and never use; nothing of the URL is in it.
        private static func problem(_ text: String, _ values: [String: String]) -> String? {
            let encoded = "a password with @, /, : or % needs them as %40, %2F, %3A and %25"
            let scheme = text.dropFirst(text.hasPrefix("postgres://") ? "postgres://".count : "postgresql://".count)
            let path = scheme.prefix { $0 != "?" }.drop { $0 != "/" }.dropFirst()
            // An abstract socket begins with @.
            if path.contains(where: { $0 == "/" || $0 == "@" })
                || list(values, "host").contains(where: { $0.dropFirst().contains("@") })
            {
                return "has @ or / where no host ends: \(encoded)"
            }
            let ports = list(values, "port")
            guard ports.allSatisfy({ $0.isEmpty || (UInt16($0) ?? 0) > 0 }) else {
                return "has a port that is not from 1 to 65535; \(encoded)"
            }
            let (names, addresses) = (list(values, "host").count, list(values, "hostaddr").count)
            guard ports.count <= 1 || ports.count == max(names, addresses),
                addresses == 0 || names == 0 || addresses == names
            else {
                return "lists a different number of ports or addresses than hosts"
            }
            for (name, allowed) in choices {
                if let value = values[name], !value.isEmpty, !allowed.contains(value) {
                    return "has an unknown \(name); use one of \(allowed.joined(separator: ", "))"
                }
            }
            return nil
        }
    }

    extension PostgresURL: CustomStringConvertible, CustomReflectable {
        var description: String { location }
        var customMirror: Mirror { Mirror(self, children: ["place": location]) }
    }
#endif

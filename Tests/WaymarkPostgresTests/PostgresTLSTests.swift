#if PostgreSQL
    import Foundation
    import PostgresTestSupport
    import Testing
    import WaymarkStores
    import WaymarkLinks

    @testable import WaymarkPostgres

    /// `sslmode` as libpq has it, over TCP: there is no TLS on a unix socket.
    @Suite(
        .enabled(if: PostgresServer.isInstalled, "PostgreSQL's server programs are not installed"),
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl"), "openssl is not installed"))
    struct PostgresTLSTests {
        private func isEncrypted(_ store: PostgresLinkStore) async throws -> Bool {
            try await store.readListing { connection, deadline in
                try connection.run(
                    .init(sql: "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()"), by: deadline
                ).number(0, 0) == 1
            }
        }

        @Test func encryptsWhereTheURLWantsItAndRefusesOtherwise() async throws {
            let port = try Self.freePort()
            let server = try PostgresServer(
                options: "-p \(port) -c listen_addresses=127.0.0.1 -c ssl=on", certificate: true)
            let base = "postgres://waymark@127.0.0.1:\(port)/postgres?sslmode="
            let encrypted = try PostgresLinkStore(url: base + "require")
            #expect(try await isEncrypted(encrypted))
            await encrypted.close()
            let plain = try PostgresLinkStore(url: base + "disable")
            #expect(try await !isEncrypted(plain))
            await plain.close()
            // Whoever signed it is known now, but it is another host's.
            let root = "&sslrootcert=\(server.folder)/data/server.crt"
            await (try PostgresLinkStore(url: base + "verify-ca" + root)).close()
            let refusal = StoreError.unavailable(
                "PostgreSQL at 127.0.0.1:\(port): the database's certificate is not accepted")
            #expect(throws: refusal) { try PostgresLinkStore(url: base + "verify-full" + root) }
            withExtendedLifetime(server) {}
        }

        private static func freePort() throws -> UInt16 {
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(descriptor) }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = inet_addr("127.0.0.1")
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let bound = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { general in
                    bind(descriptor, general, length) == 0 && getsockname(descriptor, general, &length) == 0
                }
            }
            guard bound else { throw POSIXError(.EADDRNOTAVAIL) }
            return UInt16(bigEndian: address.sin_port)
        }
    }
#endif

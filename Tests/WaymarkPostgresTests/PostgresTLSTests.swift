#if PostgreSQL
    import Foundation
    import WaymarkTestSupport
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
            let port = try SocketListener().port
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
    }
#endif

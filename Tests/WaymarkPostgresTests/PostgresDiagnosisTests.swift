#if PostgreSQL
    import Foundation
    import WaymarkTestSupport
    import Testing
    import WaymarkStores
    import WaymarkLinks

    @testable import WaymarkPostgres

    /// What an operator reads if the database can't be used as it is.
    @Suite(.enabled(if: PostgresServer.isInstalled, "PostgreSQL's server programs are not installed"))
    struct PostgresDiagnosisTests {
        /// Each with the password that must not come out.
        @Test(arguments: [
            "postgres://u:s3cr@t@host/db", "postgres://u:s3c/ret@host/db", "postgres://u:12/s3cret@host/db",
            "postgres://u:s3cret:x@host:w/db", "postgres://host:99999/db", "postgres://host:0/db",
            "postgres://host:-1/db",
            "postgres://a,b:5432,c:65536/db", "postgres://a,b/db?port=1,2,3",
            "postgres:///db?host=a,b&hostaddr=127.0.0.1",
            "postgres://host/db/other", "postgres://host/db?sslmode=foo", "postgres://host/db?sslmode=Require",
            "postgres://host/db?channel_binding=yes", "postgres://host/db?target_session_attrs=read-only",
            "postgres://host/db?target_session_attrs=standby", "postgres://host/db?nonsense=1",
            "postgres://u:a%b@host/db",
        ])
        func refusesURLsThatCanNeverWork(url: String) throws {
            let problem = try #require(PostgresLinkStore.problem(with: url))
            for part in ["s3c", "foo", "99999", "\n"] { #expect(!problem.contains(part)) }
        }

        @Test(arguments: [
            "postgres://host", "postgres://", "postgresql://u@host/db", "postgres://u:p%40%2F%3A%25@host:5433/db",
            "postgres://a,b/db", "postgres://a:1,b:2/db", "postgres://a,b/db?port=5433", "postgres://[::1]:5432/db",
            "postgres:///db?host=/run/postgresql", "postgres://%2Frun%2Fpostgresql/db", "postgres:///db?host=@abstract",
            "postgres://u:p?#x@host/db", "postgres://host/a%2Fb%40c", "postgres://host/db?sslmode=verify-full",
            "postgres://host/db?target_session_attrs=read-write&channel_binding=require", "postgres://host/db?port=",
            "postgres:///db?hostaddr=127.0.0.1,127.0.0.2&port=1,2", "postgres://host/db?application_name=a/b@c",
        ])
        func takesOtherURLs(url: String) { #expect(PostgresLinkStore.problem(with: url) == nil) }

        /// As libpq and servers report them.
        @Test(arguments: [
            ("FATAL:  connection requires a valid client certificate", "the database wants a client certificate", true),
            ("SSL error: tlsv13 alert certificate required", "the database wants a client certificate", true),
            ("SSL error: tlsv1 alert unknown ca", "the database does not accept the client certificate", true),
            ("root certificate file \"/x/root.crt\" does not exist", "the file of sslrootcert", true),
            ("could not open certificate file \"/x\": No such file", "the file of sslcert", true),
            ("private key file \"/x\" has group or world access", "the file of sslkey", true),
            ("SSL error: certificate verify failed", "the database's certificate is not accepted", true),
            ("server certificate for \"a\" does not match host name \"b\"", "the database's certificate is not", true),
            ("connection to server at \"h\" failed: session is read-only", "read-only (a replica)", false),
            ("connection to server at \"h\" failed: server is in hot standby mode", "read-only (a replica)", false),
            ("FATAL:  database \"x\" does not exist", "there is no such database", true),
            ("h1: Connection refused\nh2: FATAL:  database \"x\" does not exist", "refuses connections", false),
        ])
        func namesWhyAConnectionIsRefused(message: String, expected: String, isLasting: Bool) {
            switch ConnectionRejection.failure(message) {
            case .denied(let sentence): #expect(isLasting && sentence.contains(expected), "\(sentence)")
            case .disconnected(let sentence): #expect(!isLasting && sentence.contains(expected), "\(sentence)")
            case .refused, .raced: Issue.record("\(message)")
            }
        }

        @Test(arguments: ["42P05", "26000"])
        func namesAPoolerInTransactionMode(state: String) {
            guard case .unavailable(let sentence) = StoreError(PostgresFailure(state: state)) else {
                Issue.record("it may be changed")
                return
            }
            #expect(sentence.contains("pooler in transaction mode"))
        }

        @Test func namesAReplica() async throws {
            let server = try PostgresServer()
            let (url, empty) = (try server.database(), try server.database())
            await (try PostgresLinkStore(url: url)).close()
            try server.stop()
            try Data().write(to: URL(fileURLWithPath: server.folder + "/data/standby.signal"))
            try server.start()
            let location = "PostgreSQL at \(server.folder):5432: "
            let sentence = "the database is read-only (a replica)"
            #expect(throws: StoreError.unavailable(location + sentence)) { try PostgresLinkStore(url: empty) }
            // It has the tables, and can be read.
            let store = try PostgresLinkStore(url: url)
            try await store.ping()
            await #expect(throws: StoreError.unavailable(sentence)) { try await store.addShop() }
            await store.close()
            // A server waits for it, as it may be promoted.
            await (try PostgresLinkStore(url: empty, isPatient: true)).close()
            withExtendedLifetime(server) {}
        }

        @Test func saysWhichGrantIsMissing() throws {
            let server = try PostgresServer()
            try server.execute("CREATE ROLE \"App User\" LOGIN")
            func refusal(_ url: String) -> String? {
                do throws(StoreError) {
                    _ = try PostgresLinkStore(url: url)
                    return nil
                } catch {
                    return error.sentence
                }
            }
            let url = try server.database()
            let name = try #require(
                url.split(separator: "/").compactMap { $0.split(separator: "?").first }.first { $0.hasPrefix("test") })
            let own = url.replacingOccurrences(of: "waymark@", with: "App%20User@")
            let grants = [
                "GRANT CREATE ON DATABASE \(name) TO \"App User\"",
                "GRANT USAGE, CREATE ON SCHEMA waymark TO \"App User\"",
            ]
            #expect(refusal(own)?.hasSuffix(": \(grants[0])") == true, "\(refusal(own) ?? "")")
            try server.execute("CREATE SCHEMA waymark", in: url)
            #expect(refusal(own)?.hasSuffix(": \(grants[1])") == true, "\(refusal(own) ?? "")")
            try server.execute(grants[1], in: url)
            #expect(refusal(own) == nil)
            // The line works in a database without the schema, too.
            let other = try server.database()
            let second = try #require(
                other.split(separator: "/").compactMap { $0.split(separator: "?").first }.first { $0.hasPrefix("test") }
            )
            try server.execute("GRANT CREATE ON DATABASE \(second) TO \"App User\"", in: other)
            #expect(refusal(other.replacingOccurrences(of: "waymark@", with: "App%20User@")) == nil)
            withExtendedLifetime(server) {}
        }

        @Test(
            .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl"), "openssl is not installed"))
        func saysThatAClientCertificateIsMissing() throws {
            let port = try SocketListener().port
            let server = try PostgresServer(
                options: "-p \(port) -c listen_addresses=127.0.0.1 -c ssl=on -c ssl_ca_file=server.crt",
                certificate: true)
            try server.stop()
            let rules = "local all all trust\nhostssl all all 127.0.0.1/32 trust clientcert=verify-ca\n"
            try Data(rules.utf8).write(to: URL(fileURLWithPath: server.folder + "/data/pg_hba.conf"))
            try server.start()
            #expect(
                throws: StoreError.unavailable(
                    "PostgreSQL at 127.0.0.1:\(port): the database wants a client certificate: give sslcert and sslkey")
            ) { try PostgresLinkStore(url: "postgres://waymark@127.0.0.1:\(port)/postgres?sslmode=require") }
            withExtendedLifetime(server) {}
        }

        /// libpq itself stops at the first host that answers.
        @Test func goesOnToAHostThatHasTheDatabase() async throws {
            let (first, second) = (try PostgresServer(), try PostgresServer())
            _ = try second.database()
            let url = "postgres://waymark@/test1?host=\(first.folder),\(second.folder)"
            let store = try PostgresLinkStore(url: url)
            try await store.addShop()
            await store.close()
            // While one of them may come back, a server waits; without one it ends.
            try second.stop()
            await (try PostgresLinkStore(url: url, isPatient: true)).close()
            try second.start()
            let neither = "postgres://waymark@/test7?host=\(first.folder),\(second.folder)"
            #expect(throws: StoreError.self) { try PostgresLinkStore(url: neither, isPatient: true) }
            withExtendedLifetime((first, second)) {}
        }
    }
#endif

import Foundation
import Testing
import WaymarkJSON

#if canImport(Glibc)
    import Glibc

    extension EndToEnd {
        /// A server that runs out of descriptors, as it really happens: the process's own limit.
        @Suite struct DescriptorTests {
            /// The number that follows on the server's descriptors, but for one that Dispatch keeps out of the way, high up.
            private func endOfDescriptors(_ server: RunningServer) throws -> Int {
                let names = try FileManager.default.contentsOfDirectory(
                    atPath: "/proc/\(server.program.identifier)/fd")
                return (names.compactMap(Int.init).filter { $0 < 200 }.max() ?? 0) + 1
            }

            /// Lets the server open so many descriptors from now on.
            private func limit(_ server: RunningServer, to count: Int) throws {
                let process = try Process.run(
                    URL(fileURLWithPath: "/usr/bin/env"),
                    arguments: [
                        "prlimit", "--pid", "\(server.program.identifier)", "--nofile=\(count):",
                    ])
                process.waitUntilExit()
                try #require(process.terminationStatus == 0)
            }

            @Test(arguments: EventLoops.all)
            func whoeverComesWithoutADescriptorLeftIsTold(eventLoop: String) throws {
                let installation = try Installation(
                    configuration: ["limits": ["keepAliveSeconds": 600, "keepAliveWhenCrowdedSeconds": 600]])
                let server = try installation.start(["--event-loop", eventLoop])
                let known = try server.connect()
                #expect(try known.exchange(.create(Shop.gift())).status == 201)
                #expect(try known.exchange(.get("/gift")).status == 302)
                let end = try endOfDescriptors(server)
                try limit(server, to: end)

                // Numbers that were given back below the limit are taken first.
                var held: [Connection] = []
                try eventually("descriptors run out") {
                    let client = try server.connect()
                    held.append(client)
                    // The server may have closed before all of this is sent; what it said is there all the same.
                    try? client.send(Request.get("/healthz").bytes)
                    return try client.receive().status == 503 ? () : nil
                }
                for _ in 0..<200 {
                    // Some wait to be spoken to, some ask at once: each is told.
                    let client = try server.connect()
                    if Bool.random() { try? client.send(Request.get("/gift").bytes) }
                    let answer = try client.receive()
                    #expect(answer.status == 503, "\(answer)")
                    #expect(answer["Retry-After"] == "5")
                    #expect(answer["Connection"] == "close")
                    #expect(answer.problem == "overloaded")
                    #expect(try client.isClosed())
                }
                // Who has a place goes on.
                #expect(held.count < 50)
                #expect(try known.exchange(.get("/gift")).status == 302)
                try limit(server, to: end + 50)
                try eventually("clients are served again") {
                    let client = try server.connect()
                    return try client.exchange(.get("/gift")).status == 302 ? () : nil
                }
                #expect(try server.stop() == .exit(0))
            }

            @Test(arguments: EventLoops.all)
            func keepsDescriptorsForOperators(eventLoop: String) throws {
                let installation = try Installation(
                    configuration: [
                        "adminListen": "127.0.0.1:0",
                        "limits": ["keepAliveSeconds": 600, "keepAliveWhenCrowdedSeconds": 600],
                    ])
                let server = try installation.start(
                    ["--event-loop", eventLoop], wrapper: ["/usr/bin/env", "prlimit", "--nofile=100:100"])
                let line = try #require(server.program.errorLines.first { $0.hasSuffix(" for operators") })
                let port = try #require(line.firstMatch(of: /:(\d+) for operators/).flatMap { UInt16($0.1) })
                var held: [Connection] = []
                for _ in 0..<150 { held.append(try server.connect()) }
                try eventually("clients are turned away") {
                    let client = try server.connect()
                    try? client.send(Request.get("/healthz").bytes)
                    return try client.receive().status == 503 ? () : nil
                }
                for _ in 0..<3 {
                    #expect(try Connection(port: port).exchange(.get("/metrics")).status == 200)
                }
            }

            /// `fs.file-max` holds for the whole machine and not for root, so the kernel's answer is put in its place.
            @Test(
                .enabled(if: Strace.isInstalled, "strace is not installed"),
                .timeLimit(.minutes(2)), arguments: EventLoops.all)
            func clientsWaitWhereTheWholeSystemHasRunOut(eventLoop: String) throws {
                let installation = try Installation(
                    configuration: [
                        "threads": 1, "limits": ["keepAliveSeconds": 600, "keepAliveWhenCrowdedSeconds": 600],
                    ])
                // ENFILE from the 8th time on that the loop asks for a connection, for 40 times.
                let server = try installation.start(
                    ["--event-loop", eventLoop],
                    wrapper: [
                        Strace.program, "-D", "-f", "-qq", "-o", "/dev/null", "-e", "trace=accept4", "-e",
                        "inject=accept4:error=ENFILE:when=8..47",
                    ])
                let known = try server.connect()
                #expect(try known.exchange(.create(Shop.gift())).status == 201)
                var answers: [Int] = []
                for _ in 0..<20 {
                    let client = try server.connect()
                    // Kept by the kernel until there is a descriptor for it; who knows the server goes on meanwhile.
                    try? client.send(Request.get("/gift").bytes)
                    #expect(try known.exchange(.get("/gift")).status == 302)
                    answers.append(try client.receive().status)
                }
                // Whoever is met at the very end of it may be told to come again.
                #expect(answers.allSatisfy { $0 == 302 || $0 == 503 }, "\(answers)")
                #expect(answers.count { $0 == 302 } >= 18, "\(answers)")
                let metrics = try known.exchange(.get("/metrics")).text
                let failures = metrics.split(separator: "\n").first { $0.hasPrefix("waymark_accept_failures_total ") }
                #expect(failures.flatMap { Int($0.split(separator: " ")[1]) } ?? 0 >= 10, "\(failures ?? "none")")
                #expect(try server.stop() == .exit(0))
            }

            @Test func aLowLimitLeavesSomeForTheStoreAndIsSaid() throws {
                let server = try Installation().start(
                    wrapper: ["/bin/sh", "-c", "ulimit -n 64; exec \"$0\" \"$@\""])
                try eventually(
                    "the shortage is logged",
                    holds: {
                        server.program.errorText.contains("limits.connections is 10000")
                            && server.program.errorText.contains("64 descriptors")
                    })
                var clients: [Connection] = []
                var refused = 0
                for _ in 0..<40 {
                    let client = try server.connect()
                    let answer = try client.exchange(.get("/healthz"))
                    if answer.status == 200 { clients.append(client) } else { refused += 1 }
                }
                #expect(clients.count == 21)
                #expect(refused == 19)
                // The store still opens what it needs.
                let created = try clients[0].exchange(.create(Shop.gift()))
                #expect(created.status == 201, "\(created)")
                #expect(try clients[1].exchange(.get("/gift")).status == 302)
            }

            @Test func theSoftLimitIsRaised() throws {
                let server = try Installation().start(
                    wrapper: ["/bin/sh", "-c", "ulimit -S -n 64; exec \"$0\" \"$@\""])
                let clients = try (0..<100).map { _ in try server.connect() }
                for client in clients { #expect(try client.exchange(.get("/healthz")).status == 200) }
                #expect(!server.program.errorText.contains("limits.connections"))
            }
        }
    }
#endif

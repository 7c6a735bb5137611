import ConformanceCases
import TLSTestSupport
import Testing
import WaymarkTLS

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension EndToEnd {
    /// The conformance cases and the heads that are no requests, held with the executable.
    @Suite struct ConformanceTests {
        @Test(arguments: EventLoops.all, ConformanceRun<Connection>.Pace.allCases)
        func holdsEveryConversation(eventLoop: String, pace: ConformanceRun<Connection>.Pace) async throws {
            let server = try Installation().start(["--event-loop", eventLoop])
            for conversation in ConformanceCase.all + ConformanceCase.refusals where !conversation.isForHandler {
                var run = ConformanceRun(over: try server.connect(), pace: pace, hasHandler: false)
                let problems = await run.hold(conversation)
                #expect(problems.isEmpty, "\(conversation)")
            }
            #expect(try server.stop() == .exit(0))
        }

        @Test(arguments: EventLoops.all, ConformanceRun<SecureConnection>.Pace.allCases)
        func holdsEveryConversationOverTLS(
            eventLoop: String, pace: ConformanceRun<SecureConnection>.Pace
        ) async throws {
            let files = TestCertificates.shared.ecdsa
            let server = try Installation().start([
                "--event-loop", eventLoop, "--tls-listen", "127.0.0.1:0", "--certificate", files.certificate,
                "--private-key", files.privateKey,
            ])
            for conversation in ConformanceCase.all + ConformanceCase.refusals where !conversation.isForHandler {
                // Without a name: the conversations are about many hosts.
                let client = try server.connectSecurely(.init(serverName: nil))
                var run = ConformanceRun(over: client, pace: pace, hasHandler: false)
                let problems = await run.hold(conversation)
                #expect(problems.isEmpty, "\(conversation)")
            }
            #expect(try server.stop() == .exit(0))
        }

        /// What is sent first, with the body held back, and what must come at once.
        private static let expecting: [(target: String, key: String, length: Int, status: Int)] = [
            ("/api/v1/links", Installation.adminKey, 2, 100), ("/api/v1/links", "wm_none", 2, 401),
            ("/api/v1/links", Installation.adminKey, 10 << 20, 413), ("/api/v1/nothing", Installation.adminKey, 2, 404),
            ("/healthz", Installation.adminKey, 2, 405),
        ]

        @Test(arguments: EventLoops.all)
        func asksForABodyOnlyWhereItIsWanted(eventLoop: String) throws {
            let server = try Installation().start(["--event-loop", eventLoop])
            for (target, key, length, status) in Self.expecting {
                let client = try server.connect()
                try client.send(
                    "POST \(target) HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(key)\r\nExpect: 100-continue\r\n"
                        + "Content-Type: application/json\r\nContent-Length: \(length)\r\n\r\n")
                let first = try client.receive()
                #expect(first.status == status, "\(target): \(first)")
                if status == 100 {
                    try client.send("{}")
                    #expect(try client.receive().status == 422)
                    #expect(try client.exchange(.get("/healthz")).status == 200)
                } else {
                    #expect(first["Connection"] == "close")
                    #expect(try client.isClosed())
                }
            }
        }
    }
}

extension Connection: ConformanceWire {
    func sendBytes(_ bytes: [UInt8]) -> Bool {
        do throws(Failure) {
            try send(bytes)
            return true
        } catch {
            return false
        }
    }

    func receiveBytes() -> [UInt8] {
        do throws(Failure) {
            return try receiveSome()
        } catch {
            if error != .closed { return [] }
            wasReset = true
            return []
        }
    }

    func endSide() { shutdown(descriptor, Int32(SHUT_WR)) }

    var isReset: Bool { wasReset }
}

extension SecureConnection: ConformanceWire {
    func sendBytes(_ bytes: [UInt8]) -> Bool { (try? send(bytes)) != nil }
    func receiveBytes() -> [UInt8] { (try? receive()) ?? [] }
    func endSide() { try? end() }
    // Its record of the end comes before, so that a reset behind it harms nobody.
    var isReset: Bool { false }
}

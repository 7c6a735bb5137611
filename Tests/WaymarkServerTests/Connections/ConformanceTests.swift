import ConformanceCases
import Testing
import WaymarkServer
import WaymarkSockets

/// Every conformance case, and every head that the parser must refuse, over plain sockets.
@Suite struct ConformanceTests {
    @Test func findsTheCases() {
        #expect(ConformanceCase.all.count >= 300)
        #expect(ConformanceCase.refusals.count >= 160)
        #expect(Set(ConformanceCase.all.map(\.name)).count == ConformanceCase.all.count)
    }

    @Test(arguments: EventLoopKind.allCases, ConformanceRun<RawClient>.Pace.allCases)
    func holdsEveryConversation(kind: EventLoopKind, pace: ConformanceRun<RawClient>.Pace) async throws {
        var configuration = ServerConfiguration(listeners: [.init(HostAndPort(host: "127.0.0.1", port: 0))])
        configuration.eventLoop = kind
        configuration.limits.shutdownGrace = .seconds(2)
        let server = try await Server.start(configuration) { ConformanceHandler() }
        let address = server.listeners[0].address
        for conversation in ConformanceCase.all + ConformanceCase.refusals {
            var run = ConformanceRun(over: try RawClient(address), pace: pace)
            let problems = await run.hold(conversation)
            #expect(problems.isEmpty, "\(conversation)")
        }
        await server.drain()
    }
}

extension RawClient: ConformanceWire {
    func sendBytes(_ bytes: [UInt8]) -> Bool { send(bytes) }

    func receiveBytes() -> [UInt8] {
        readMore()
        return take(received.count)
    }

    func endSide() { endSending() }

    var isReset: Bool { wasReset }
}

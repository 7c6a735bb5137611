import ConformanceCases
import TLSTestSupport
import Testing
import WaymarkServer
import WaymarkSockets
import WaymarkTLS

/// Every conformance case, and every head that the parser must refuse, over TLS.
@Suite struct ConformanceTests {
    @Test(arguments: EventLoopKind.allCases, ConformanceRun<SocketClient>.Pace.allCases)
    func holdsEveryConversation(kind: EventLoopKind, pace: ConformanceRun<SocketClient>.Pace) async throws {
        let store = try TestCertificates.store([TestCertificates.shared.ecdsa])
        var configuration = ServerConfiguration(listeners: [
            .init(HostAndPort(host: "127.0.0.1", port: 0), transport: ServerConfiguration.Listener.tls(store, loops: 1))
        ])
        configuration.eventLoop = kind
        configuration.limits.shutdownGrace = .seconds(2)
        let server = try await Server.start(configuration) { ConformanceHandler() }
        let port = server.listeners[0].address.port
        for conversation in ConformanceCase.all + ConformanceCase.refusals {
            let client = try SocketClient(port: port)
            #expect(await client.shakeHands() == .done)
            var run = ConformanceRun(over: client, pace: pace)
            let problems = await run.hold(conversation)
            #expect(problems.isEmpty, "\(conversation)")
        }
        await server.drain()
    }
}

extension SocketClient: ConformanceWire {
    func sendBytes(_ bytes: [UInt8]) -> Bool {
        sendPlaintext(bytes)
        return true
    }

    func receiveBytes() -> [UInt8] { receivePlaintext() }

    func endSide() { endSending(announced: true) }

    var isReset: Bool { false }
}

import Testing
import WaymarkBytes
import WaymarkSockets

@Suite struct ListeningSocketsTests {
    private static let anyPort = SocketAddress(address: IPAddress(ipv4: 0x7f00_0001), port: 0)

    private static func bind(_ address: SocketAddress, count: Int) -> BindError? {
        do throws(BindError) {
            _ = try ListeningSockets(on: address, count: count)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [1, 4], [1, 4])
    func findsThatThePortIsTaken(first: Int, second: Int) throws {
        let sockets = try ListeningSockets(on: Self.anyPort, count: first)
        let address = sockets.address
        #expect(address.port != 0)
        // Shared among the loops of one server, but with nobody else: not even with the same program.
        #expect(Self.bind(address, count: second) == .addressInUse("\(address)"))
        withExtendedLifetime(sockets) {}
    }

    @Test func givesThePortBackWithTheLastSocket() throws {
        var sockets = try ListeningSockets(on: Self.anyPort, count: 3)
        let address = sockets.address
        do {
            var taken = 0
            while let socket = sockets.take() {
                taken += 1
                #expect(Self.bind(address, count: 1) != nil)
                _ = socket.number
            }
            #expect(taken == 3)
        }
        #expect(Self.bind(address, count: 1) == nil)
    }

    @Test func saysWhyAnAddressIsRefused() {
        // An address of the documentation range is nobody's.
        let foreign = SocketAddress(address: IPAddress(ipv4: 0xc000_0201), port: 0)
        guard case .failed(let address, _) = Self.bind(foreign, count: 1) else {
            Issue.record("bound to an address of somebody else")
            return
        }
        #expect(address == "192.0.2.1:0")
    }
}

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Many clients with one request each, all sent before the first answer is awaited.
final class Crowd {
    private var waiting: [Int: Connection] = [:]
    private var answers: [Int: Answer] = [:]

    init(_ clients: [(connection: Connection, request: Request)]) throws {
        for (number, client) in clients.enumerated() {
            try client.connection.send(client.request.bytes)
            waiting[number] = client.connection
        }
    }

    /// Takes answers as they come until there are `count`.
    func receive(atLeast count: Int) throws {
        while answers.count < count, !waiting.isEmpty { try receiveSome() }
    }

    /// Takes what answers still come, until each client has its own or was cut off.
    func receiveRest() throws -> [Int: Answer] {
        while !waiting.isEmpty { try receiveSome() }
        return answers
    }

    private func receiveSome() throws {
        let numbers = Array(waiting.keys)
        var descriptors = numbers.map {
            pollfd(fd: waiting[$0]?.descriptor ?? -1, events: Int16(POLLIN), revents: 0)
        }
        guard poll(&descriptors, nfds_t(descriptors.count), 30_000) > 0 else {
            throw DidNotHappen(description: "\(numbers.count) clients wait for an answer that does not come")
        }
        for (number, descriptor) in zip(numbers, descriptors) where descriptor.revents != 0 {
            guard let connection = waiting.removeValue(forKey: number) else { continue }
            do throws(Connection.Failure) {
                answers[number] = try connection.receive()
            } catch {
                // Cut off by the crash: this client has no answer.
                guard error == .closed else { throw error }
            }
        }
    }
}

import Foundation
import WaymarkImports
import WaymarkSite
import WaymarkSockets

/// What imports over the API may use: other services within the address rule, and Kutt's database files.
struct ServerImports: ImportEnvironment {
    let addressRule: AddressRule

    func fetching(isStopped: @escaping @Sendable () -> Bool) -> any HTTPFetching {
        StoppableFetching(fetching: CommandFetching(addressRule: addressRule), isStopped: isStopped)
    }

    func problem(with url: String) async -> String? {
        guard let parsed = URLComponents(string: url), let host = parsed.encodedHost else {
            return "must be an http or https URL"
        }
        let isSecure = parsed.scheme?.lowercased() == "https"
        let rule = addressRule
        return await NetworkThread.run {
            do throws(HTTPClient.Failure) {
                _ = try HTTPClient.addresses(of: host, isSecure: isSecure, rule)
                return nil
            } catch {
                return error.addressProblem ?? "has a host without an address"
            }
        }
    }

    func database(
        at paths: [String], time: ForeignTime, isStopped: @escaping @Sendable () -> Bool
    ) throws -> (any LinkSource)? {
        try KuttDatabase.source(paths, named: "the database", time: time, isStopped: isStopped)
    }
}

/// Ends pauses and sends no further requests once the import is stopped.
private struct StoppableFetching: HTTPFetching {
    let fetching: CommandFetching
    let isStopped: @Sendable () -> Bool

    func get(_ url: String, fields: [(name: String, value: String)]) async throws -> FetchedAnswer {
        if isStopped() { throw CancellationError() }
        // The first of two: a service may take as long as it likes to answer.
        let (answers, continuation) = AsyncStream.makeStream(of: Result<FetchedAnswer, any Error>.self)
        let (fetching, isStopped) = (fetching, isStopped)
        Task {
            // Keeps the import, and with it its place, until its last request has ended.
            defer { withExtendedLifetime(isStopped) {} }
            do {
                continuation.yield(.success(try await fetching.get(url, fields: fields)))
            } catch {
                continuation.yield(.failure(error))
            }
        }
        let watch = Task {
            while !isStopped() { try await Task.sleep(for: .milliseconds(200)) }
            continuation.yield(.failure(CancellationError()))
        }
        defer { watch.cancel() }
        for await answer in answers { return try answer.get() }
        throw CancellationError()
    }

    func pause(seconds: Int) async throws {
        let end = ContinuousClock.now + .seconds(seconds)
        while ContinuousClock.now < end {
            if isStopped() { throw CancellationError() }
            try await Task.sleep(for: .milliseconds(200))
        }
    }
}

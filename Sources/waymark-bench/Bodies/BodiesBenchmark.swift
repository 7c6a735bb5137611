import ArgumentParser
import WaymarkService

/// Sends hostile requests of a size and of twice that, for a tool that counts what they cost. Scripts/count-bodies runs it under
/// callgrind, which writes its counts whenever `waymark_bench_mark` is called.
struct BodiesBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bodies",
        abstract: "Answer hostile requests of each kind in this process, small and twice as large.",
        discussion: """
            Prints a line for each kind: its name, what bounds it, and the bytes of the smallest request, of one, and of one twice \
            as large. Two marks enclose each of the three.
            """)

    @Flag(name: .long, help: "Only print the names of the kinds.") var list = false
    @Argument(help: "The kinds; all of them where none is named.") var kinds: [String] = []

    mutating func run() async throws {
        let all = HostileRequest.all
        guard Set(all.map(\.name)).count == all.count else { throw ValidationError("two kinds have one name") }
        if list { return all.forEach { print($0.name) } }
        let known = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
        let chosen = try kinds.map { name in
            guard let request = known[name] else {
                throw ValidationError("\(name) is not a kind of request; see --list")
            }
            return request
        }
        for request in kinds.isEmpty ? all : chosen { try await Self.run(request) }
    }

    private static func run(_ request: HostileRequest) async throws {
        // Makes lazy values and links symbols, which would be counted with the first request. The smallest one is often
        // accepted, and goes another way than one that is refused.
        _ = try await answer(request, 1, expecting: nil)
        _ = try await answer(request, request.count, expecting: request.statuses[0])
        let sizes = [(1, nil), (request.count, request.statuses[0]), (request.count * 2, request.statuses[1])]
        var bytes: [String] = []
        for (count, status) in sizes {
            bytes.append(String(try await answer(request, count, expecting: status, marks: true)))
        }
        print("\(request.name) \(request.maximum.rawValue) \(bytes.joined(separator: " "))")
    }

    /// Has a new service answer one request, so that costs do not depend on those before it.
    ///
    /// - Returns: the bytes of the request.
    private static func answer(
        _ request: HostileRequest, _ count: Int, expecting expected: Int?, marks: Bool = false
    ) async throws -> Int {
        let call = request.call(count)
        let (service, site) = try await BenchmarkSite.makeSite(BenchmarkSite.repeatableSurroundings)
        let caller = SiteCaller(site)
        for preparation in request.preparations {
            let status = try await caller.status(of: preparation)
            guard (200...201).contains(status) else {
                throw BenchmarkSite.Failure(description: "\(request.name): its preparation was answered with \(status)")
            }
        }
        if marks { waymarkBenchMark() }
        let status = try await caller.status(of: call)
        if marks { waymarkBenchMark() }
        guard expected == nil || status == expected else {
            throw BenchmarkSite.Failure(description: "\(request.name) of \(count) was answered with \(status)")
        }
        await service.stop()
        return call.head.count + call.body.count
    }
}

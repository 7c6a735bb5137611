import Dispatch
import Testing
import WaymarkLinks
import WaymarkStores
import WaymarkTestSupport

@testable import WaymarkSQLite

#if os(Linux)
    import Glibc
#endif

@Suite struct GroupCommitTests {
    private let folder: TemporaryFolder
    private let store: SQLiteLinkStore

    init() throws {
        folder = try TemporaryFolder()
        store = try SQLiteLinkStore(path: folder.path("links.sqlite"))
    }

    /// Runs the tasks so that all of their writes wait while one transaction runs:
    ///
    ///     gate            tasks           database queue
    ///     write ────────────────────────▶ BEGIN, stands
    ///                     write × n         …
    ///     signal, once n are waiting ───▶ COMMIT
    ///                                     BEGIN n writes COMMIT
    private func gathered<Value: Sendable>(
        _ tasks: [@Sendable () async throws -> Value]
    ) async throws -> [Result<Value, any Error>] {
        let gate = DispatchSemaphore(value: 0)
        let before = store.commitCounts
        async let storeHealth: Void = store.write { _ in gate.wait() }
        while store.commits.isIdle || store.waitingWrites > 0 { await Task.yield() }
        let running = tasks.map { task in
            Task { () -> Result<Value, any Error> in
                do { return .success(try await task()) } catch { return .failure(error) }
            }
        }
        while store.waitingWrites < tasks.count { await Task.yield() }
        gate.signal()
        try await storeHealth
        var results: [Result<Value, any Error>] = []
        for task in running { results.append(await task.value) }
        #expect(store.commitCounts.commits - before.commits == 2)
        return results
    }

    @Test func letsWritesThatWaitShareOneCommit() async throws {
        try await SampleLinks.addApplication(to: store)
        let before = store.commitCounts
        let results = try await gathered(
            (0..<100).map { number in
                { [store] in try await store.create([SampleLinks.draft("s\(number)")], idempotency: nil) }
            })
        #expect(results.allSatisfy { (try? $0.get()) != nil })
        #expect(store.commitCounts.writes - before.writes == 101)
        #expect(try await store.list(LinkListing(limit: 200)).links.count == 100)
        await store.close()
    }

    #if os(Linux)
        /// Event loops have the process's niceness, and visitors waiting.
        @Test func writesBehindWhatHasTheUsualNiceness() async throws {
            let process = __priority_which_t(PRIO_PROCESS.rawValue)
            let usual = getpriority(process, id_t(getpid()))
            #expect(try await store.write { _ in getpriority(process, 0) } > usual)
            await store.close()
        }
    #endif

    @Test func takesBackAFailingWriteAndOnlyThat() async throws {
        try await SampleLinks.addApplication(to: store)
        let webhook = Webhook(
            id: "wh_1", application: nil, url: "https://example.com/", name: nil, events: ["link.created"],
            secrets: [Webhook.Secret(stored: Array(0..<32))], createdAt: SampleLinks.now)
        _ = try await store.webhooks.insert(webhook, limit: 1)
        let results = try await gathered(
            (0..<30).map { number in
                { [store] in
                    try await store.write { session in
                        let draft = try SampleLinks.draft("s\(number)", metadata: 10)
                        _ = try session.create([EncodedLink(draft)], idempotency: nil)
                        if number % 3 == 0 { throw StoreError.corrupt("this one fails") }
                    }
                }
            })
        for (number, result) in results.enumerated() {
            var refusal: StoreError?
            if case .failure(let error) = result { refusal = error as? StoreError }
            #expect(refusal == (number % 3 == 0 ? .corrupt("this one fails") : nil))
        }
        let slugs = Set(try await store.list(LinkListing(limit: 200)).links.map(\.slug.text))
        #expect(slugs == Set((0..<30).filter { $0 % 3 != 0 }.map { "s\($0)" }))
        // What is counted for a whole transaction leaves the failed ones out too.
        #expect(try await store.use(of: #require(ApplicationID("shop"))).links == 20)
        let reported = try await store.webhooks.outbox(limit: 100).compactMap(\.event.link?.slug.text)
        #expect(reported.count == 20 && Set(reported) == slugs)
        await store.close()
    }

    /// The commit behind a crowd waits for company, and goes on without it.
    @Test func aLoneWriteBehindACrowdIsNotKept() async throws {
        for result in try await gathered((0..<30).map { _ in { [store] in try await store.write { _ in } } }) {
            try result.get()
        }
        let before = store.commitCounts
        try await store.write { _ in }
        #expect(store.commitCounts.writes == before.writes + 1)
        await store.close()
    }

    @Test func refusesWritesPastItsCapacityInsteadOfHoardingThem() async throws {
        let gate = DispatchSemaphore(value: 0)
        async let storeHealth: Void = store.write { _ in gate.wait() }
        while store.commits.isIdle || store.waitingWrites > 0 { await Task.yield() }
        for _ in 0..<GroupCommit.capacity {
            store.commits.submit(
                GroupCommit.Write(weight: 1) { _ in
                    {}
                } fail: { _ in
                })
        }
        await #expect(throws: StoreError.unavailable("too many writes are waiting for the database")) {
            try await store.write { _ in }
        }
        gate.signal()
        try await storeHealth
        try await store.write { _ in }
        await store.close()
    }

    @Test func acknowledgesNothingOnAFullDatabaseAndRecovers() async throws {
        try await SampleLinks.addApplication(to: store)
        _ = try await store.setting("max_page_count", to: 60)
        var kept = 0
        var refusals: Set<StoreError> = []
        for number in 0..<40 {
            do {
                _ = try await store.create([SampleLinks.draft("s\(number)", metadata: 16_000)], idempotency: nil)
                kept += 1
            } catch let error as StoreError {
                refusals.insert(error)
            }
        }
        #expect(refusals == [.diskFull])
        #expect(try await store.list(LinkListing(limit: 200)).links.count == kept)
        _ = try await store.setting("max_page_count", to: 100_000)
        _ = try await store.create([SampleLinks.draft("after", metadata: 16_000)], idempotency: nil)
        #expect(try await store.list(LinkListing(limit: 200)).links.count == kept + 1)
        await store.close()
    }

    @Test(.enabled(if: TemporaryMount.isPossible, "needs the right to mount"))
    func keepsAllThatItAcknowledgedOnAFullDisk() async throws {
        let disk = try TemporaryMount(on: folder, bytes: 1_500_000)
        let path = disk.path + "/links.sqlite"
        let store = try SQLiteLinkStore(path: path)
        try await SampleLinks.addApplication(to: store)
        let kept = try await withThrowingTaskGroup(of: String?.self) { group in
            for number in 0..<200 {
                group.addTask {
                    do {
                        _ = try await store.create(
                            [SampleLinks.draft("s\(number)", metadata: 16_000)], idempotency: nil)
                        return "s\(number)"
                    } catch StoreError.full {
                        return nil
                    }
                }
            }
            return try await group.reduce(into: Set<String>()) { if let slug = $1 { $0.insert(slug) } }
        }
        #expect(kept.count < 200, "the disk is too small for all")
        await store.close()
        let reopened = try SQLiteLinkStore(path: path)
        #expect(Set(try await reopened.list(LinkListing(limit: 200)).links.map(\.slug.text)) == kept)
        await reopened.close()
    }
}

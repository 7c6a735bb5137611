import Synchronization
import Testing
import WaymarkJSON
import WaymarkLinks
import WaymarkStores

/// What callers are told while the store fails again and again, before and after it did what it was asked.
@Suite(.serialized) struct FaultTests {
    private static let web = #""urls": {"web": "https://a.example/1"}"#

    /// A site whose store misbehaves in the test, and no longer in the end.
    private func run(seed: UInt64, _ test: (SiteFixture, FaultyStore) async throws -> Void) async throws {
        let store = try FaultyStore(seed: seed)
        try await SiteFixture.run(.inProcess, store: store) { fixture in
            store.misbehave(true)
            try await test(fixture, store)
            store.misbehave(false)
        }
    }

    /// Sends the same until it is no 503, as clients do.
    private func answered(
        _ fixture: SiteFixture, _ method: String, _ target: String, _ body: String? = nil, key: String? = nil
    ) async throws -> TestAnswer {
        while true {
            let answer = try await fixture.call(
                method, target, body, headers: key.map { [("Idempotency-Key", $0)] } ?? [])
            guard answer.status == 503 else { return answer }
            #expect(answer.problem == "store-unavailable")
            #expect(answer[header: "Retry-After"] == "1")
        }
    }

    private func all<Value: Sendable>(
        _ count: Int, _ body: @escaping @Sendable (Int) async throws -> Value
    ) async throws -> [Value] {
        try await withThrowingTaskGroup(of: Value.self) { group in
            for number in 0..<count { group.addTask { try await body(number) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func redeemsExactlyOnceForEachKeyHoweverOftenItIsTried(seed: UInt64) async throws {
        try await run(seed: seed) { fixture, store in
            store.misbehave(false)
            _ = try await fixture.create(
                #"{"slug": "gift", \#(Self.web), "metadata": {"coupon": "20"}, "redeemLimit": 20}"#)
            store.misbehave(true)
            let body = #"{"smartlink": "https://go.example.com/gift"}"#
            let answers = try await all(40) { number in
                try await answered(fixture, "POST", "/api/v1/resolve", body, key: "k\(number)")
            }
            #expect(answers.allSatisfy { $0.status == 200 })
            let redeemed = answers.filter { $0.json["metadata"]?["coupon"]?.string == "20" }
            #expect(redeemed.compactMap { $0.json["redeem"]?["used"]?.integer }.sorted() == Array(1...20))
            #expect(answers.count { $0.json["redeem"]?["status"]?.string == "exhausted" } == 20)
            store.misbehave(false)
            // Answers that got lost have not taken a second one, and the same keys get the same again.
            let link = try await fixture.call("GET", "/api/v1/links/go.example.com/gift")
            #expect(link.json["redeem"]?["used"]?.integer == 20)
            #expect(store.counts.lostAnswers > 0 && store.counts.refused > 0)
        }
    }

    @Test(arguments: [4, 5, 6] as [UInt64])
    func createsOnceForEachKeyAndLosesNothingThatWasAnswered(seed: UInt64) async throws {
        try await run(seed: seed) { fixture, store in
            let answers = try await all(40) { number in
                try await answered(fixture, "POST", "/api/v1/links", "{\(Self.web)}", key: "k\(number)")
            }
            #expect(answers.allSatisfy { $0.status == 201 })
            let slugs = answers.compactMap { $0.json["slug"]?.string }
            #expect(Set(slugs).count == 40)
            store.misbehave(false)
            let listed = try await fixture.call("GET", "/api/v1/links?limit=200").json["links"]?.array ?? []
            #expect(Set(listed.compactMap { $0["slug"]?.string }) == Set(slugs))
            #expect(listed.count == 40)
            for slug in slugs { #expect(try await fixture.visit("/\(slug)").status == 302) }
        }
    }

    @Test(arguments: [7, 8, 9] as [UInt64])
    func servesWhatWasPatchedLast(seed: UInt64) async throws {
        try await run(seed: seed) { fixture, store in
            store.misbehave(false)
            for number in 0..<10 { _ = try await fixture.create(#"{"slug": "s\#(number)", \#(Self.web)}"#) }
            store.misbehave(true)
            _ = try await all(10) { number in
                for value in 2...8 {
                    let url = "https://a.example/\(value)"
                    let answer = try await answered(
                        fixture, "PATCH", "/api/v1/links/go.example.com/s\(number)", #"{"urls": {"web": "\#(url)"}}"#)
                    #expect(answer.status == 200)
                    // From memory or from the store: it is never the one before.
                    while true {
                        let visit = try await fixture.visit("/s\(number)")
                        guard visit.status == 503 else {
                            #expect(visit[header: "Location"] == url)
                            break
                        }
                        #expect(visit[header: "Retry-After"] == "1")
                    }
                }
            }
        }
    }

    @Test(arguments: [10, 11, 12] as [UInt64])
    func `no more clicks pass than the limit`(seed: UInt64) async throws {
        try await run(seed: seed) { fixture, store in
            store.misbehave(false)
            _ = try await fixture.create(#"{"slug": "few", \#(Self.web), "maxClicks": 50}"#)
            store.misbehave(true)
            let statuses = try await all(200) { _ in try await fixture.visit("/few").status }
            #expect(statuses.allSatisfy { [302, 410, 503].contains($0) })
            let admitted = statuses.count { $0 == 302 }
            #expect(admitted <= 50)
            #expect(admitted > 0)
        }
    }
}

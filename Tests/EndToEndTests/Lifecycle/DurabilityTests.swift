import Foundation
import Testing
import WaymarkJSON

extension EndToEnd {
    /// What was answered is there after the process is killed in the middle of its work.
    @Suite struct DurabilityTests {
        private static let resolves = 300
        private static let limit = 100
        private static let body = #"{"smartlink": "https://go.example.com/gift", "platform": "ios"}"#

        @Test(arguments: EventLoops.all)
        func `as many resolves as the limit receive the metadata`(eventLoop: String) throws {
            let server = try Installation().start(["--event-loop", eventLoop])
            #expect(try server.exchange(.create(Shop.gift(redeemLimit: Self.limit))).status == 201)

            let connections = try (0..<Self.resolves).map { _ in try server.connect() }
            for connection in connections { try connection.send(Request.resolve(Self.body).bytes) }
            let answers = try connections.map { try $0.receive() }

            #expect(answers.allSatisfy { $0.status == 200 })
            try expectEveryRedeemOnce(answers)
        }

        @Test func aCrashAmongTheResolvesNeitherLosesNorRepeatsARedeem() throws {
            let installation = try Installation()
            let first = try installation.start()
            #expect(try first.exchange(.create(Shop.gift(redeemLimit: Self.limit))).status == 201)
            let requests = (0..<Self.resolves).map { Request.resolve(Self.body, idempotencyKey: "attempt-\($0)") }

            // Killed after some answers, with the rest anywhere between the kernel's buffers and the disk.
            let crowd = try Crowd(requests.map { (try first.connect(), $0) })
            try crowd.receive(atLeast: 30)
            try first.crash()
            let before = try crowd.receiveRest()
            #expect(before.count >= 30)

            let second = try installation.start()
            let again = try Crowd(requests.map { (try second.connect(), $0) }).receiveRest()
            #expect(again.count == Self.resolves)
            try expectEveryRedeemOnce(Array(again.values))
            for (attempt, answer) in before {
                #expect(again[attempt]?.json == answer.json, "attempt \(attempt) was answered otherwise before")
            }
        }

        @Test func aCrashMayWasteClicksAndNeverExceedsTheirLimit() throws {
            let installation = try Installation()
            let create = #"{"slug": "few", "urls": {"web": "https://shop.example.com/"}, "maxClicks": 150}"#
            var admitted = 0
            for round in 0..<4 {
                let server = try installation.start()
                if round == 0 { #expect(try server.exchange(.create(create)).status == 201) }
                let crowd = try Crowd(
                    (0..<60).map { _ in (try server.connect(), .get("/few", userAgent: Browser.desktop)) })
                // In the middle of it, but for the last one.
                try crowd.receive(atLeast: round < 3 ? 20 : 60)
                try server.crash()
                admitted += try crowd.receiveRest().values.count { $0.status == 302 }
            }
            #expect((60...150).contains(admitted))
        }

        private func expectEveryRedeemOnce(_ answers: [Answer]) throws {
            let received = answers.map(\.json).filter { $0["metadata"] == ["coupon": "20"] }
            #expect(received.count == Self.limit)
            #expect(received.allSatisfy { $0["redeem"]?["status"] == "redeemed" })
            #expect(Set(received.compactMap { $0["redeem"]?["used"]?.integer }) == Set(1...Self.limit))
            let rest = answers.map(\.json).filter { $0["redeem"]?["status"] == "exhausted" }
            #expect(rest.count == answers.count - Self.limit)
            #expect(rest.allSatisfy { $0["metadata"]?.isNull == true && $0["deeplink"]?.string != nil })
        }

        @Test func everyCreatedLinkThatWasAnsweredIsThereAfterACrash() throws {
            let installation = try Installation()
            let first = try installation.start()
            let requests = (0..<300).map { Request.create(Shop.gift(slug: "gift-\($0)")) }
            let crowd = try Crowd(requests.map { (try first.connect(), $0) })
            try crowd.receive(atLeast: 50)
            try first.crash()
            let answered = try crowd.receiveRest()
            #expect(answered.values.allSatisfy { $0.status == 201 })

            let client = try installation.start().connect()
            for (number, answer) in answered {
                let read = try client.exchange(.api("GET", "/links/go.example.com/gift-\(number)"))
                #expect(read.json == answer.json, "gift-\(number) was answered with 201 and is gone or changed")
            }
            // What was not answered is there whole, or not at all.
            for number in requests.indices where answered[number] == nil {
                let read = try client.exchange(.api("GET", "/links/go.example.com/gift-\(number)"))
                #expect(read.status == 404 || read.json["redeem"] == ["limit": 1, "used": 0, "remaining": 1])
            }
        }

        @Test func deletionsAndRevocationsOutliveACrash() throws {
            let installation = try Installation()
            let first = try installation.start()
            let client = try first.connect()
            #expect(try client.exchange(.create(Shop.gift())).status == 201)
            let made = try client.exchange(.api("POST", "/keys", #"{"name": "app", "scopes": ["resolve"]}"#))
            #expect(made.status == 201)
            let key = try #require(made.json["key"]?.string)
            let identifier = try #require(made.json["id"]?.string)
            #expect(try client.exchange(.api("DELETE", "/links/go.example.com/gift")).status == 204)
            #expect(try client.exchange(.api("DELETE", "/keys/\(identifier)")).status == 204)
            try first.crash()

            let second = try installation.start()
            #expect(try second.exchange(.api("GET", "/links/go.example.com/gift")).status == 404)
            #expect(try second.exchange(.api("POST", "/resolve", Self.body, key: key)).status == 401)
        }

        @Test func linksAndClicksOutliveARestart() throws {
            let installation = try Installation()
            let first = try installation.start()
            let client = try first.connect()
            let created = try client.exchange(.create(Shop.gift()))
            for _ in 0..<10 { #expect(try client.exchange(.get("/gift", userAgent: Browser.desktop)).status == 302) }
            // At once: the clicks may still be on their way to the store.
            #expect(try first.stop() == .exit(0))

            let second = try installation.start()
            let read = try second.exchange(.api("GET", "/links/go.example.com/gift")).json
            #expect(read["clicks"] == 10)
            #expect(read["createdAt"] == created.json["createdAt"])
            let visit = try second.exchange(.get("/gift", userAgent: Browser.desktop))
            #expect(visit["Location"] == "https://shop.example.com/products/42?referrer=ana")
        }
    }
}

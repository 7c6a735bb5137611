import WaymarkLinks
import WaymarkStores

extension LinkStoreContract {
    static let extras = [
        LinkStoreContract("changes extras of applications, if they have the version that is expected") { store in
            try await store.addApplication("shop")
            try await store.addApplication("news")
            let (shop, news) = (try Sample.application("shop"), try Sample.application("news"))
            let extras = store.extras
            func change(_ content: [UInt8]?, of id: ApplicationID? = nil, expecting: Int? = nil) async throws
                -> ExtraChange
            {
                try await extras.changeExtra("logo", of: id ?? shop, to: content, expecting: expecting)
            }
            try expect(try await extras.extra("logo", of: shop), is: nil)
            try expect(try await change([1], expecting: 7), is: .versionMismatch(current: 1))
            try expect(try await change(nil), is: .unknown)
            try expect(try await change([1], expecting: 1), is: .changed(version: 2))
            try expect(try await change([0, 2], expecting: 1), is: .versionMismatch(current: 2))
            try expect(try await change([0, 2], expecting: 2), is: .changed(version: 3))
            try expect(try await change([], of: news), is: .changed(version: 2))
            try expect(try await change([1], of: Sample.application("none")), is: .unknown)
            let logo = ApplicationExtra(application: shop, name: "logo", version: 3, content: [0, 2])
            try expect(try await extras.extra("logo", of: shop), is: logo)
            try expect(try await extras.extra("other", of: shop), is: nil)
            try expect(try await extras.extra("logo", of: news)?.content, is: [])
            try expect(try await change(nil, expecting: 2), is: .versionMismatch(current: 3))
            try expect(try await change(nil, expecting: 3), is: .changed(version: 3))
            try expect(try await extras.extra("logo", of: shop), is: nil)
        },
        LinkStoreContract("deletes extras with their application") { store in
            try await store.addApplication("shop")
            let shop = try Sample.application("shop")
            _ = try await store.extras.changeExtra("logo", of: shop, to: [1], expecting: nil)
            try expect(try await store.deleteApplication(shop, expecting: nil), is: .deleted)
            try await store.addApplication("shop")
            try expect(try await store.extras.extra("logo", of: shop), is: nil)
        },
    ]
}

import WaymarkLinks
import WaymarkStores

extension LinkStoreContract {
    static let registeredRoutes = [
        LinkStoreContract("keeps the newest registration of each route, by path") { store in
            try await store.addApplication("shop")
            try await store.addApplication("news")
            let shop = try Sample.application()
            var product = RegisteredRoute(
                path: try require(Route("products/:id")), platform: .iphone, device: "iPhone \u{1F4F1}", build: "7",
                version: "1.0", urlSchemes: ["shop", "shop-beta"], registeredAt: Sample.now)
            let about = RegisteredRoute(path: try require(Route("about")), registeredAt: Sample.after(1))
            try expect(try await store.register(product, of: shop, limit: 2), is: .registered)
            try expect(try await store.register(about, of: shop, limit: 2), is: .registered)
            product.version = nil
            product.platform = .android
            product.urlSchemes = []
            try expect(try await store.register(product, of: shop, limit: 2), is: .replaced)
            try expect(try await store.registeredRoutes(of: shop), is: [about, product])
            try expect(try await store.registeredRoutes(of: Sample.application("news")), is: [])
        },
        LinkStoreContract("takes no more routes than an application may have") { store in
            try await store.addApplication("shop")
            let shop = try Sample.application()
            func route(_ path: String) throws -> RegisteredRoute {
                RegisteredRoute(path: try require(Route(path)), registeredAt: Sample.now)
            }
            try expect(try await store.register(route("a"), of: shop, limit: 1), is: .registered)
            try expect(try await store.register(route("b"), of: shop, limit: 1), is: .full)
            try expect(try await store.register(route("a"), of: shop, limit: 1), is: .replaced)
            let unknown = try Sample.application("none")
            try expect(try await store.register(route("a"), of: unknown, limit: 1), is: .applicationUnknown)
            try expect(try await store.registeredRoutes(of: unknown), is: [])
        },
        LinkStoreContract("keeps routes when their application changes, and not when it goes") { store in
            try await store.addApplication("shop")
            let shop = try Sample.application()
            let route = RegisteredRoute(path: try require(Route("a")), registeredAt: Sample.now)
            _ = try await store.register(route, of: shop, limit: 9)
            try await store.addApplication("shop", domains: ["go.example.com"])
            try expect(try await store.registeredRoutes(of: shop), is: [route])
            _ = try await store.deleteApplication(shop, expecting: nil)
            try await store.addApplication("shop")
            try expect(try await store.registeredRoutes(of: shop), is: [])
        },
    ]
}

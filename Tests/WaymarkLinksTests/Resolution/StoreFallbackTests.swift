import Testing

@testable import WaymarkAPI
@testable import WaymarkLinks

/// Which store visitors without the app get to.
@Suite struct StoreFallbackTests {
    private func fallback(
        _ platform: Platform, _ store: Visitor.Store?, application change: (inout ApplicationRequest) -> Void
    ) throws -> Resolution.Destination {
        let application = try Samples.application(change)
        let draft = Samples.draft(urls: [platform.rawValue: URLEntryRequest("shop://a")])
        let visitor = Visitor(platform: platform, inApp: .facebook, store: store)
        let resolution = try Samples.link(draft, of: application).resolve(
            application: application, visitor: visitor, now: Samples.now, clickID: nil)
        guard case .openApp(let opening) = resolution else { throw Unexpected(resolution: resolution) }
        return opening.fallback
    }

    struct Unexpected: Error { var resolution: Resolution }

    @Test(
        arguments: [
            (Platform.android, Visitor.Store.appGallery, "https://appgallery.huawei.com/app/C100"),
            (.android, .amazon, "https://www.amazon.com/gp/mas/dl/android?p=com.example.fire"),
            (.android, .galaxy, "https://play.google.com/store/apps/details?id=com.example.shop&referrer="),
            (.android, .play, "https://play.google.com/store/apps/details?id=com.example.shop&referrer="),
            (.android, nil, "https://play.google.com/store/apps/details?id=com.example.shop&referrer="),
            (.windows, .microsoft, "https://apps.microsoft.com/detail/9NBLGGH4NNS1"),
        ] as [(Platform, Visitor.Store?, String)])
    func fallsBackToTheStoreOfTheDevice(_ platform: Platform, _ store: Visitor.Store?, _ url: String) throws {
        let fallback = try fallback(platform, store) { draft in
            draft.android?.package = "com.example.shop"
            draft.android?.appGallery = "C100"
            draft.android?.galaxy = "com.example.samsung"
            draft.android?.amazon = "com.example.fire"
            draft.windows = ApplicationRequest.Windows(microsoft: "9NBLGGH4NNS1")
        }
        #expect(fallback.url.hasPrefix(url))
        #expect(fallback.kind == .store)
        #expect(AppStore.isStore(fallback.url))
    }

    @Test func takesGalaxyStoreWhereThereIsNoOther() throws {
        let destination = try fallback(.android, .galaxy) { draft in
            draft.android = ApplicationRequest.Android(urlScheme: "shop", galaxy: "com.example.samsung")
        }
        #expect(destination.url == "https://galaxystore.samsung.com/detail/com.example.samsung")
    }

    @Test(
        arguments: [
            ("C", nil, nil, nil, "android.appGallery"), ("100", nil, nil, nil, "android.appGallery"),
            (nil, "shop", nil, nil, "android.galaxy"), (nil, nil, "B00/../x", nil, "android.amazon"),
            (nil, nil, nil, "9NBL GH4NNS1", "windows.microsoft"),
            ("C100", "com.example.shop", "B00ABCDEF1", "9NBLGGH4NNS1", nil),
        ] as [(String?, String?, String?, String?, String?)])
    func checksTheIDsInStores(
        _ appGallery: String?, _ galaxy: String?, _ amazon: String?, _ microsoft: String?, _ field: String?
    ) {
        var problem: String?
        do {
            _ = try Samples.application { draft in
                draft.android?.appGallery = appGallery
                draft.android?.galaxy = galaxy
                draft.android?.amazon = amazon
                draft.windows = ApplicationRequest.Windows(microsoft: microsoft)
            }
        } catch {
            problem = "\(error)"
        }
        #expect((problem == nil) == (field == nil))
        if let field { #expect(problem?.contains(field) == true) }
    }
}

import Foundation
import WaymarkKit

/// What an app has to do with WaymarkKit, in one place.
@MainActor
final class ShopApp {
    private let client: WaymarkClient
    private let deeplinking: Deeplinking

    init(_ environment: [String: String]) throws {
        let folder = environment["WAYMARK_EXAMPLE_FOLDER"] ?? "waymark-example"
        client = try WaymarkClient(
            service: environment["WAYMARK_URL"] ?? "http://127.0.0.1:8080", key: environment["WAYMARK_KEY"] ?? "",
            // Each command is one short life of the app, so it sends events when it is told to, and does not wait long.
            options: ClientOptions(
                app: "shop", platform: .iOS, retry: RetryPolicy(attempts: 2), sendsEvents: false,
                allowsPlainLoopback: true),
            storage: FileStorage(folder: URL(fileURLWithPath: folder, isDirectory: true)))
        deeplinking = Deeplinking(client: client, urlSchemes: ["shop"])

        try deeplinking.map("products/:product_id") { deeplink in
            print("product \(deeplink.routeParameters["product_id"] ?? "")", terminator: "")
            print(deeplink.isDeferred ? ", which waited for the installation" : "", terminator: "")
            print(deeplink.metadata?["coupon"]?.string.map { ", coupon \($0)" } ?? ", no coupon")
        }
        try deeplinking.mapDefault { _ in print("landing page") }
        deeplinking.addFilter { $0.queryParameters["blocked"] == nil }
    }

    /// A smart link to a product, with a coupon for so many apps.
    func share(redeemLimit: Int) async throws {
        let deeplink = try Deeplink(
            route: "products/:product_id", routeParameters: ["product_id": 42], queryParameters: ["referrer": "ana"],
            metadata: ["coupon": "20"], redeemLimit: redeemLimit)
        print(try await deeplinking.generateSmartlink(for: deeplink))
    }

    /// Somebody taps on a smart link, and the system hands it to the app.
    func open(_ smartlink: String) async {
        if case .failed(let error) = await deeplinking.open(resolving: smartlink) { print("not opened: \(error)") }
        printEvents()
    }

    /// The app's first start; on Android with what the store says of its installation.
    func start(referrer: String?) async {
        switch await client.openDeferredDeeplink(in: deeplinking, referrer: referrer) {
        case .failed(let error): print("not claimed: \(error)")
        case nil: print("nothing waited")
        case .opened, .notOpened, .notHandled: break
        }
        printEvents()
    }

    /// The app comes to the front and sends what waits.
    func send() async {
        do throws(WaymarkClientError) {
            try await client.flushEvents()
        } catch {
            print("not sent: \(error)")
        }
        printEvents()
    }

    private func printEvents() {
        let counts = client.eventCounts
        print("events waiting: \(counts.waiting)")
    }
}

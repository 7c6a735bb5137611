import Testing
import UIKit
import WaymarkKit

extension UIKitTests {
    /// The paste button for the first launch.
    @MainActor
    struct PasteControlTests {
        private struct Offline: HTTPTransport {
            func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse { throw .offline }
        }

        @Test(arguments: [("https://go.example.com/x", true), ("some text", false), (nil, false)])
        func showsItselfIfAURLIsThere(text: String?, isShown: Bool) async throws {
            let client = try WaymarkClient(
                service: "https://go.example.com", key: "wm_1", options: ClientOptions(app: "shop"),
                storage: MemoryStorage(), transport: Offline())
            UIPasteboard.general.string = text
            #expect(await client.hasClaimableClipboard() == isShown)
            let view = WaymarkPasteControl(client, Deeplinking(client: client))
            #expect(view.isHidden && view.pasteConfiguration != nil)
            let control = try #require(view.subviews.first as? UIPasteControl)
            #expect(control.target === view)
        }

        @Test func claimsWhatIsPasted() async throws {
            let client = try WaymarkClient(
                service: "https://go.example.com", key: "wm_1", options: ClientOptions(app: "shop"),
                storage: MemoryStorage(), transport: Offline())
            UIPasteboard.general.string = "some text"
            let outcome = await withCheckedContinuation { continuation in
                let view = WaymarkPasteControl(client, Deeplinking(client: client)) { outcome in
                    continuation.resume(returning: outcome == nil)
                }
                (view.subviews.first as? UIPasteControl)?.tap()
                held = view
            }
            // No link of the app: nothing was sent, and nothing opened.
            #expect(outcome)
            held = nil
        }
    }
}

/// The view hierarchy holds views.
@MainActor private var held: UIView?

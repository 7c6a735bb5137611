import OtherSDKSample
import Testing
import UIKit
import WaymarkAPI
import WaymarkKit

/// One after the other, because they share the application's window.
@Suite(.serialized) enum UIKitTests {
    /// TapTalk's guide.
    @MainActor
    struct RoomTests {
        @Test func opensRoomsByUniversalLinkAndScheme() {
            let app = RoomSceneDelegate(deeplinking: Deeplinking(urlSchemes: ["taptalkio"]))
            let page = NSUserActivity(activityType: NSUserActivityTypeBrowsingWeb)
            page.webpageURL = URL(string: "https://web.taptalk.io/room-1")
            app.scene(
                UIScene(), willConnectTo: UISceneSession(),
                options: UIScene.ConnectionOptions(userActivities: [page]))
            app.scene(UIScene(), openURLContexts: [UIOpenURLContext(url: URL(string: "taptalkio://room-2")!)])
            page.webpageURL = URL(string: "https://web.taptalk.io/")
            app.scene(UIScene(), continue: page)
            #expect(app.rooms == ["room-1", "room-2"])
        }

        /// A service that has no smart links.
        private struct EmptyService: SmartlinkResolving {
            func resolve(_ subject: ResolveRequest.Subject) async throws -> ResolveResponse {
                throw WaymarkClientError.refused(Problem(.linkUnknown, ""), retryAfter: nil)
            }
        }

        @Test func opensRoomsOnTheHostOfSmartLinks() async {
            let app = RoomSceneDelegate(
                deeplinking: Deeplinking(
                    urlSchemes: ["taptalkio"], domains: ["web.taptalk.io"], resolver: EmptyService()))
            _ = await app.deeplinking.open(resolving: "https://web.taptalk.io/room-3")
            #expect(app.rooms == ["room-3"])
        }
    }

    /// swift-deep-linking's page.
    @MainActor
    struct PhotoTests {
        @Test func showsThePhotoOfATypedLink() throws {
            let controller = PhotoViewController()
            #expect(controller.executeDeepLink(with: try #require(URL(string: "shop://show/photo?name=cat&index=2"))))
            #expect(controller.imageName == "cat")
            #expect(!controller.executeDeepLink(with: try #require(URL(string: "shop://show/photo"))))
        }
    }
}

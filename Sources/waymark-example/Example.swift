import Foundation
import WaymarkKit

/// An app without a screen: it registers routes, makes and opens smart links, claims the link that waited for its
/// installation, and reports what was opened. `Scripts/example` plays its life, with the service killed in the middle.
@main
struct Example {
    @MainActor static func main() async {
        do {
            let arguments = CommandLine.arguments.dropFirst()
            let app = try ShopApp(ProcessInfo.processInfo.environment)
            switch (arguments.first, arguments.dropFirst().first) {
            case ("share", let limit?): try await app.share(redeemLimit: Int(limit) ?? 1)
            case ("open", let smartlink?): await app.open(smartlink)
            case ("start", let referrer): await app.start(referrer: referrer)
            case ("send", nil): await app.send()
            default:
                complain(
                    """
                    usage: waymark-example share LIMIT | open SMARTLINK | start [REFERRER] | send
                    WAYMARK_URL and WAYMARK_KEY say which service; WAYMARK_EXAMPLE_FOLDER is where the app keeps its things.
                    """)
                exit(2)
            }
        } catch {
            complain("waymark-example: \(error)")
            exit(1)
        }
    }

    private static func complain(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data((text + "\n").utf8))
    }
}

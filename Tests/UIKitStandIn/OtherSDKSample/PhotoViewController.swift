import UIKit
import WaymarkKitCompatibility

/// A link as swift-deep-linking's page has it.
struct ShowPhotoDeepLink: DeepLink {
    static let template = DeepLinkTemplate()
        .term("show")
        .term("photo")
        .queryStringParameters([
            .requiredString(named: "name"),
            .optionalInt(named: "index"),
        ])

    let imageName: String
    let index: Int?

    init(values: DeepLinkValues) {
        imageName = values.query["name"] as! String
        index = values.query["index"] as? Int
    }
}

/// The code that takes swift-deep-linking's links.
public class PhotoViewController: UIViewController {
    public private(set) var imageName: String?

    public func executeDeepLink(with url: URL) -> Bool {
        let recognizer = DeepLinkRecognizer(deepLinkTypes: [ShowPhotoDeepLink.self])
        guard let deepLink = recognizer.deepLink(matching: url) else {
            print("Unable to match URL: \(url.absoluteString)")
            return false
        }
        switch deepLink {
        case let link as ShowPhotoDeepLink: imageName = link.imageName
        default: fatalError("Unsupported DeepLink: \(type(of: deepLink))")
        }
        return true
    }
}

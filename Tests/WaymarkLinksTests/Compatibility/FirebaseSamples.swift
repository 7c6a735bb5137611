import Testing

@testable import WaymarkAPI
@testable import WaymarkLinks

extension Samples {
    /// The shop, which serves Firebase Dynamic Links.
    static func firebaseApplication(_ change: (inout ApplicationRequest) -> Void = { _ in }) throws -> Application {
        var apps = AssociatedApps()
        apps.bundleIDs = ["com.example.shop", "com.example.shop.pad"]
        return try application(with: apps) { draft in
            draft.destinations = ApplicationRequest.Destinations(
                allowedHosts: ["shop.example.com", "www.example.com", "*.cdn.example.com"])
            draft.schemes = ["shoppro"]
            draft.firebase = ApplicationRequest.Firebase(enabled: true, longLinks: true)
            change(&draft)
        }
    }

    /// - Parameter query: a long link's, with `$` for `https%3A%2F%2Fwww.example.com%2F`.
    static func firebaseDraft(
        _ query: String, of application: Application, onlyOwnHosts: Bool = true
    ) -> FirebaseLinkDraft {
        let query = query.replacing("$", with: "https%3A%2F%2Fwww.example.com%2F")
        return FirebaseLinkDraft(
            FirebaseQuery(query).parameters, for: application, onlyOwnHosts: onlyOwnHosts)
    }
}

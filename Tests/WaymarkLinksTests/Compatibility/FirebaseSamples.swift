import Testing

@testable import WaymarkLinks

extension Samples {
    /// The shop, which serves Firebase Dynamic Links.
    static func firebaseApplication(_ change: (inout ApplicationDraft) -> Void = { _ in }) throws -> Application {
        try application { draft in
            draft.destinations = ApplicationDraft.DestinationsDraft(
                allowedHosts: ["shop.example.com", "www.example.com", "*.cdn.example.com"])
            draft.schemes = ["shoppro"]
            var firebase = ApplicationDraft.FirebaseDraft(enabled: true, longLinks: true)
            firebase.bundleIDs = ["com.example.shop", "com.example.shop.pad"]
            draft.firebase = firebase
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

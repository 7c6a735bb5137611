import Testing
import WaymarkKitCompatibility

@testable import WaymarkKit

/// The shared cases of HOKO's SDKs.
@MainActor
@Suite struct HokoVectorTests {
    /// Areas that are not the client's routing.
    nonisolated static let elsewhere: Set<String> = [
        // HOKO's REST API and the service behind it.
        "rest", "rest-error", "wire-json", "wire-headers", "subdomain", "lazy", "event", "template",
    ]

    /// Cases in which the originals do what nobody can want, and what happens here instead.
    nonisolated static let reviewed: [String: String] = [
        "openCurrentDeeplink cannot reopen a default-route deeplink":
            "it can: a link that a filter held back is not lost because no route matches it",
        "one-letter parameter names are not checked":
            "they are: a link with a missing parameter would lead nowhere",
        "substring host check accepts a hostile host":
            "hosts are compared whole: otherwise anybody's host could pass for the service",
        "openSmartlink resolved but not routable: completion never called":
            "it is always called: a caller who waits must hear how it ended",
        "open event is retried then dropped":
            "it is kept: an event that the service did not take waits for six days and arrives once (EventTests)",
    ]

    nonisolated static let vectors = Vector.all(of: "hoko").filter {
        !elsewhere.contains($0.area) && reviewed[$0.name] == nil
    }

    @Test(.enabled(if: !vectors.isEmpty, "the shared vectors are not here"), arguments: vectors)
    func playsAsTheOriginal(vector: Vector) async throws {
        if vector.platform != "android" { try await HokoVectorRun(vector, dialect: .ios).run() }
        if vector.platform == "android" || vector.platform == "both" {
            try await HokoVectorRun(vector, dialect: .android).run()
        }
    }

    @Test(.enabled(if: !vectors.isEmpty, "the shared vectors are not here"))
    func reviewsOnlyCasesThatExist() {
        let names = Set(Vector.all(of: "hoko").map(\.name))
        #expect(Self.reviewed.keys.filter { !names.contains($0) } == [])
    }
}

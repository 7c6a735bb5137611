import WaymarkAPI
import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkService
import WaymarkStores

/// `POST /api/v1/links/{domain}/{slug}:verify`: walks a link now.
enum VerifyHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        // Once more where it is changed meanwhile.
        for _ in 0..<2 {
            let (link, _) = try await LinkLookup.link(call, site)
            if let problem = Problem(link.state(at: site.service.dependencies.now())) { throw problem }
            if let walked = try await site.background.verifier.walk(link) {
                return .json(.ok, LinkVerified(walked).json)
            }
        }
        throw Problem(.storeUnavailable, "The link changes while it is walked: try again.")
    }
}

extension LinkVerified {
    init(_ verification: LinkVerification) {
        self.init()
        at = verification.at.wholeSecond
        state = verification.state.name
        findings = verification.findings.map { found in
            var finding = Finding()
            finding.visitor = found.visitor.rawValue
            finding.code = found.code.rawValue
            finding.message = found.message
            finding.url = found.url
            return finding
        }
    }
}

extension Site {
    /// What the verification found of links for which it counts, by their IDs.
    func verified(_ links: [Link]) async throws(StoreError) -> [LinkID: LinkVerified] {
        let now = now
        let walked = links.filter { $0.isVerifiable(at: now) }.map(\.id)
        return try await service.verification.verifications(of: walked).mapValues { LinkVerified($0) }
    }
}

import WaymarkClient
import WaymarkJSON

/// An order as the authority reports it (RFC 8555 section 7.1.3).
struct ACMEOrder: Sendable {
    enum Status: String, Sendable {
        case pending, ready, processing, valid, invalid
    }

    /// The most authorizations that an order for one host may have.
    private static let authorizationLimit = 8

    let status: Status
    let authorizations: [String]
    let finalize: String
    let certificate: String?
    /// Why it is invalid.
    let problem: ACMEProblem?

    init(_ response: HTTPResponse, _ rule: ACMEURLRule) throws(ACMEError) {
        let value = try ACMEClient.json(response)
        guard let status = value["status"]?.string.flatMap(Status.init) else {
            throw ACMEError(.unavailable, "the authority's order has no known status")
        }
        self.status = status
        var urls: [String] = []
        for member in value["authorizations"]?.array ?? [] {
            urls.append(try rule.checked(member.string, "the order's authorization"))
        }
        guard (1...Self.authorizationLimit).contains(urls.count) else {
            throw ACMEError(.unavailable, "the authority's order has \(urls.count) authorizations")
        }
        authorizations = urls
        finalize = try rule.checked(value["finalize"]?.string, "the order's \"finalize\"")
        certificate =
            value["certificate"]?.string == nil
            ? nil : try rule.checked(value["certificate"]?.string, "the order's certificate")
        problem = value["error"].map { ACMEProblem($0, status: nil) }
    }
}

/// The authority's verification of one host (RFC 8555 section 7.1.4).
struct ACMEAuthorization: Sendable {
    enum Status: String, Sendable {
        case pending, valid, invalid, deactivated, expired, revoked
    }

    struct Challenge: Sendable {
        let kind: ChallengeKind
        let url: String
        let token: String
        let problem: ACMEProblem?
    }

    private static let challengeLimit = 32
    private static let tokenLimit = 256

    let status: Status
    /// Those of the kinds that are known here.
    let challenges: [Challenge]

    init(_ response: HTTPResponse, host: String, _ rule: ACMEURLRule) throws(ACMEError) {
        let value = try ACMEClient.json(response)
        guard let status = value["status"]?.string.flatMap(Status.init) else {
            throw ACMEError(.unavailable, "the authority's authorization has no known status")
        }
        guard value["identifier"]?["value"]?.string?.lowercased() == host else {
            throw ACMEError(.unavailable, "the authority's authorization is for another host")
        }
        self.status = status
        var challenges: [Challenge] = []
        for member in (value["challenges"]?.array ?? []).prefix(Self.challengeLimit) {
            guard let kind = member["type"]?.string.flatMap(ChallengeKind.init) else { continue }
            // The token becomes part of a path.
            guard let token = member["token"]?.string, token.utf8.count <= Self.tokenLimit, NoncePool.isValid(token)
            else { throw ACMEError(.unavailable, "the authority's challenge has no valid token") }
            challenges.append(
                Challenge(
                    kind: kind, url: try rule.checked(member["url"]?.string, "the challenge's URL"), token: token,
                    problem: member["error"].map { ACMEProblem($0, status: nil) }))
        }
        self.challenges = challenges
    }
}

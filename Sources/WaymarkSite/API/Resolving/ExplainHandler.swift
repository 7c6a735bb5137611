import WaymarkAPI
import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkService

/// `POST /api/v1/explain`: how a visit would be answered, and why.
enum ExplainHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let (visit, now, url, variant) = try question(call.body, site)
        let explanation = Explanation(
            site: site, visit: visit, now: now, asker: call.reach, url: url, variant: variant)
        return .json(.ok, try await explanation.answer().json)
    }

    private static func question(
        _ bytes: [UInt8], _ site: Site
    ) throws -> (visit: Visit, now: Timestamp, url: WebURL, variant: String??) {
        let (body, shape) = ExplainRequest.attempt(try ObjectReader.document(bytes, shape: ExplainRequest.shape))
        guard let body else { throw Problem(invalid: shape) }
        var meaning: [FieldProblem] = []
        let url = WebURL(body.url)
        if url == nil, let problem = WebURL.problem(in: body.url) {
            meaning.append(FieldProblem(field: "url", problem: problem))
        }
        // The caller supplies the values that a proxy would send.
        let peer = Peer(addressText: body.ip ?? "0.0.0.0", isForwarded: true, hasTrustedFields: true)
        if peer == nil { meaning.append(FieldProblem(field: "ip", problem: "must be an IPv4 or IPv6 address")) }
        let now = body.at.map { Timestamp(rfc3339: $0) } ?? site.now
        if now == nil {
            meaning.append(.noTime("at"))
        }
        let country = body.country.map { Array($0.utf8) }
        let code = country.flatMap { $0.count == 2 ? CountryCode($0[0], $0[1]) : nil }
        if country != nil, code == nil {
            meaning.append(FieldProblem(field: "country", problem: "must be two letters of ISO 3166-1, such as DE"))
        }
        var visit: Visit?
        if let url, let peer {
            switch SimulatedRequest.read(url, headers: body.headers, from: peer, site) {
            case .visit(let read): visit = code.map { read.from($0) } ?? read
            case .problems(let found): meaning += found
            }
        }
        let problems = FieldProblem.merged(shape: shape, meaning: meaning)
        guard problems.isEmpty, let visit, let now, let url else { throw Problem(invalid: problems) }
        return (visit, now, url, body.variant)
    }
}

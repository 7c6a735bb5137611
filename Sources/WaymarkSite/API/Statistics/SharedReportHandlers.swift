import WaymarkAPI
import WaymarkBytes
import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkService
import WaymarkStores

/// `POST /api/v1/reports`: the only response with the token.
enum ReportSharingHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let (body, shape) = SharedReportRequest.attempt(
            try ObjectReader.document(call.body, shape: SharedReportRequest.members.shape))
        guard let body else { throw Problem(invalid: shape) }
        var problems: [FieldProblem] = []
        func reject(_ field: String, _ problem: String) {
            problems.append(FieldProblem(field: field, problem: problem))
        }
        if let problem = SharedReportQuery.problem(body.query, call, now: site.now) { reject("query", problem) }
        if !(1...SharedReport.titleLimit).contains(body.title.utf8.count) || body.title.holdsControlCharacters {
            reject("title", "must be 1 to \(SharedReport.titleLimit) bytes without control characters")
        }
        var end = site.now.advanced(byMilliseconds: SharedReport.usual)
        if let text = body.expiresAt {
            let latest = site.now.advanced(byMilliseconds: SharedReport.longest)
            if let time = Timestamp(rfc3339: text), site.now < time, time <= latest {
                end = time
            } else {
                reject("expiresAt", "must be an RFC 3339 time in the future, at most 400 days ahead")
            }
        }
        problems = FieldProblem.merged(shape: shape, meaning: problems)
        guard problems.isEmpty else { throw Problem(invalid: problems) }
        let shared = try await SharedReportQuery.reports(site).share(
            body.query, title: body.title, until: end, by: call.key)
        guard let (report, token) = shared else {
            throw Problem(invalid: [
                FieldProblem(
                    field: "query",
                    problem:
                        "is one report too many: \(SharedReport.ownerLimit) can be shared by one key or person; end others first"
                )
            ])
        }
        let origin = call.peer.role == .owner ? site.operatorOrigin : ""
        return .json(.created, SharedReportResponse(report, token: token, origin: origin).json)
    }
}

/// `GET /api/v1/reports`.
enum SharedReportListHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let reports = try await SharedReportQuery.reports(site).list(for: call.key)
        return .json(.ok, SharedReportResponse.list(reports.map { SharedReportResponse($0) }))
    }
}

/// `DELETE /api/v1/reports/{id}`: the link shows nothing from the response on.
enum SharedReportEndHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        guard try await SharedReportQuery.reports(site).end(call.parameters[0], by: call.key) != nil else {
            throw Problem(.resourceUnknown, "No shared report has this id.")
        }
        return .noContent
    }
}

/// The query that is stored with a shared report.
enum SharedReportQuery {
    static func reports(_ site: Site) throws(Problem) -> SharedReports {
        guard let reports = site.service.sharedReports else {
            throw Problem(.storeUnavailable, "Reports can't be shared without a database.")
        }
        return reports
    }

    /// Why a query can't be that of a shared report; nil if it can.
    static func problem(_ text: String, _ call: Call, now: Timestamp) -> String? {
        guard text.utf8.count <= SharedReport.queryLimit, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return "must be at most \(SharedReport.queryLimit) visible ASCII characters"
        }
        let query = QueryString(Array(text.utf8))
        if let unknown = query.names.first(where: { !ClickReportParameters.parameters.contains($0) }) {
            return "has the unknown parameter \(unknown)"
        }
        guard query.all("format").isEmpty else { return "can't have format: a shared report is read in a browser" }
        do throws(Problem) {
            _ = try ClickReportParameters(call.asking(query), now: now)
            return nil
        } catch {
            guard let first = error.errors.first else { return error.detail }
            return "is not valid: \(first.field) \(first.problem)"
        }
    }
}

extension SessionRoute {
    /// A token, and a little around it.
    private static let tokenLimit = 1_024

    /// `POST /_/report`: a report for everybody who has its token.
    func sharedReport(_ head: RequestHead, _ bytes: Span<UInt8>, _ peer: Peer) -> Reply {
        do throws(Problem) {
            try check(head, bytes, peer)
        } catch {
            return .now(.problem(error))
        }
        return .body(limit: Self.tokenLimit, .any) { body in
            await run(peer) {
                let token = try SharedReportToken(json: body).token
                guard let (report, reader) = try await SharedReportQuery.reports(site).open(Array(token.utf8)) else {
                    if let seconds = site.callers.take(.failedAuthentication, peer) {
                        return .rateLimited(retryAfter: seconds)
                    }
                    throw Problem(.keyUnknown, "The report is no longer shared. Ask for a new link.")
                }
                if let seconds = site.callers.take(.statistics, peer, key: reader) {
                    return .rateLimited(retryAfter: seconds)
                }
                let call = Call(
                    key: reader, reach: reader.reach(ofOneOf: [.read]) ?? .nothing, peer: peer, parameters: [],
                    query: QueryString(Array(report.query.utf8)), ifMatch: Precondition(nil), prefersCSV: false,
                    idempotencyKey: nil)
                return .json(
                    .ok,
                    SharedReportResponse.read(
                        title: report.title, expiresAt: report.expiresAt.wholeSecond,
                        clicks: try await ClickReportHandler.document(call, site)))
            }
        }
    }
}

extension Call {
    /// The same call with another query.
    fileprivate func asking(_ query: QueryString) -> Call {
        Call(
            key: key, reach: reach, peer: peer, parameters: parameters, query: query, ifMatch: ifMatch,
            prefersCSV: false, idempotencyKey: nil)
    }
}

extension SharedReportResponse {
    fileprivate init(_ report: SharedReport, token: String? = nil, origin: String = "") {
        self.init(
            id: report.id, title: report.title, query: report.query, createdAt: report.createdAt.wholeSecond,
            expiresAt: report.expiresAt.wholeSecond, token: token, origin: origin)
    }
}

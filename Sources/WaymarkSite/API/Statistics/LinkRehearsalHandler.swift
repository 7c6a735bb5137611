import WaymarkAPI
import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkService

/// `POST /api/v1/links/{domain}/{slug}:rehearse`: what a patch would have done to recorded clicks. Changes nothing.
enum LinkRehearsalHandler {
    /// Maximum number of entries in `byOutcome`.
    private static let groupLimit = 1_000

    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let request = try LinkRehearsalRequest(json: call.body)
        let (link, _) = try await LinkLookup.link(call, site)
        let patch: LinkPatchHandler.Patch
        do throws(Problem) {
            patch = try LinkPatchHandler.patch(request.patch)
        } catch {
            throw error.inPatch
        }
        let smartlinkHosts = site.service.applications.directory.current.smartlinkHosts
        let author = call.key.author
        let outcome = try await ReportTurn.run(call, site) {
            try await site.service.rehearse(
                link, days: request.days, outcome: { $0.outcome(showsOnly: false) },
                change: { link, served, metadata in
                    // Those who clicked knew the password; whether it changes is nothing to rehearse.
                    LinkPatchHandler.change(
                        link, served.application, smartlinkHosts, metadata, by: patch, .keep, author)
                })
        }
        switch outcome {
        case .rehearsed(let answer): return .json(.ok, LinkRehearsalResponse(answer).json)
        case .refused(let problem): throw problem.inPatch
        case .unknown: throw Problem.linkUnknown
        case .tooManyClicks:
            throw Problem(invalid: [
                FieldProblem(
                    field: "days",
                    problem: "have more than \(LinkService.clickRecordLimit) clicks on the link; give fewer")
            ])
        case .tooManyKinds:
            throw Problem(invalid: [
                FieldProblem(field: "days", problem: "have clicks of too many different visitors; give fewer")
            ])
        }
    }

    fileprivate static func groups(_ answer: Rehearsal.Answer) -> [(key: Rehearsal.Outcome, value: Int)] {
        func text(_ ending: VisitEnding) -> String { "\(ending.outcome) \(ending.rule ?? "") \(ending.url ?? "")" }
        let sorted = answer.outcomes.sorted { one, other in
            one.value != other.value
                ? one.value > other.value
                : (text(one.key.from), text(one.key.to)) < (text(other.key.from), text(other.key.to))
        }
        return Array(sorted.prefix(groupLimit))
    }
}

extension Problem {
    /// The problems of a body as those of its member `patch`.
    fileprivate var inPatch: Problem {
        var problem = self
        problem.errors = errors.map { FieldProblem(field: "patch.\($0.field)", problem: $0.problem) }
        return problem
    }
}

extension LinkRehearsalResponse {
    init(_ answer: Rehearsal.Answer) {
        self.init(
            clicks: answer.clicks, changed: answer.changed,
            byOutcome: LinkRehearsalHandler.groups(answer).map {
                (from: Ending($0.key.from), to: Ending($0.key.to), clicks: $0.value)
            },
            undecidable: answer.undecidable, why: answer.why.map(\.sentence).sorted())
    }
}

extension LinkRehearsalResponse.Ending {
    fileprivate init(_ ending: VisitEnding) {
        self.init(outcome: ending.outcome, rule: ending.rule, url: ending.url)
    }
}

extension Rehearsal.Reason {
    fileprivate var sentence: String {
        switch self {
        case .unrecorded(.share): "shares: records don't hold which share of the visitors a visitor would be in"
        case .unrecorded(.query): "query: records don't hold the query of a visit, which rules look at"
        case .unrecorded(.language):
            "language: records hold languages without scripts and variants, which rules look at"
        case .unrecorded(.store): "store: records don't hold the store of an Android device, which decides"
        case .unrecorded(.mac): "platform: records don't hold whether a browser on a Mac may be on an iPad"
        case .doNotTrack: "Do-Not-Track: clicks with DNT or Sec-GPC are recorded to the hour, without any field"
        case .leftOut: "left out: values of these clicks were not recorded, because visitors sent too many"
        case .changedSince: "changed: the link or its application led these visitors elsewhere then than it does now"
        case .maxClicks: "maxClicks: records don't hold which clicks another limit would have let through"
        case .tooManyConditions: "rules: they have too many shares, queries and stores to consider all combinations"
        case .retention(let days): "retention: records are kept for \(days) days"
        case .notRecorded: "clicks.record is off: this server records no clicks"
        }
    }
}

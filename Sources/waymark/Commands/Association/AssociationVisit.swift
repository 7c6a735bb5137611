import Foundation
import WaymarkAssociation
import WaymarkClient
import WaymarkTLS

/// Fetches a host's association files like Apple's and Google's servers, and reports what they would make of them.
struct AssociationVisit {
    struct Result {
        let name: String
        var report: LintReport
        /// Nil if there was no response.
        let status: Int?
        /// Nil if no system would accept the response.
        var file: [UInt8]?
    }

    private let url: AssociationURL
    /// In seconds.
    private let timeout: Int

    /// - Parameter timeout: of each fetch, in seconds.
    init(_ url: AssociationURL, timeout: Int = 15) {
        self.url = url
        self.timeout = timeout
    }

    func results() async -> [Result] {
        let origin = "\(url.scheme)://\(url.host)\(url.port.map { ":\($0)" } ?? "")"
        let isWhole = url.path.isEmpty || url.path == "/"
        if !isWhole, AssociationKind(name: url.path) != .apple {
            return [await result(url.text, kind: AssociationKind(name: url.path)).result]
        }
        var results = await apple(origin)
        if isWhole { results.append(await result("\(origin)/.well-known/assetlinks.json", kind: .assetLinks).result) }
        return results
    }

    /// Checks both locations: the well-known one is requested first, but either is valid.
    private func apple(_ origin: String) async -> [Result] {
        let (wellKnown, first) = await result("\(origin)/.well-known/apple-app-site-association", kind: .apple)
        let (root, second) = await result("\(origin)/apple-app-site-association", kind: .apple)
        var results = [wellKnown, root]
        switch (first, second) {
        case (let first?, let second?):
            if first != second {
                results[1].report.findings.append(
                    LintFinding(.fetchLocations, "\(wellKnown.name) has \(first.count) other bytes than this"))
            }
        case (let file, nil) where file != nil && root.status == 404,
            (nil, let file) where file != nil && wellKnown.status == 404:
            // One location is enough: that the other one is empty is only a note.
            let present = first == nil ? root : wellKnown
            results = [present]
            results[0].report.findings.append(
                LintFinding(
                    .fetchOneLocation, "the file stands here, and not at \((first == nil ? wellKnown : root).name)"))
        default:
            break
        }
        return results
    }

    /// The bytes are nil if no system would accept the response.
    private func result(_ address: String, kind: AssociationKind?) async -> (result: Result, file: [UInt8]?) {
        let outcome = await fetch(address, as: Self.fetcher(kind))
        var findings: [LintFinding] = []
        if url.scheme != "https" {
            findings.append(LintFinding(.fetchScheme, "the file is asked for over \(url.scheme)"))
        }
        if ResolvedHost.addresses(url.host).contains(where: { !AddressRule.isPublic($0) }) {
            findings.append(LintFinding(.fetchAddress, "\(url.host) has a private or reserved address"))
        }
        switch outcome.result {
        case .failure(let failure):
            let rule = failure.rule
            let faults = rule == .fetchTLS ? await CertificateFindings.of(url) : []
            findings.insert(contentsOf: faults.isEmpty ? [LintFinding(rule, failure.sentence)] : faults, at: 0)
            if kind == .apple { findings.append(Self.cdn(failure: rule)) }
            let report = LintReport(kind: kind, byteCount: 0, findings: findings)
            return (Result(name: address, report: report, status: nil), nil)
        case .success(let answer):
            findings += await self.findings(of: answer, after: outcome.duration, at: address, kind)
            guard answer.status == 200 else {
                if kind == .apple { findings.append(Self.cdn(status: answer.status)) }
                let report = LintReport(kind: kind, byteCount: answer.body.count, findings: findings)
                return (Result(name: address, report: report, status: answer.status), nil)
            }
            guard !answer.isCutOff else {
                let report = Self.report(onTooLarge: answer, kind, findings)
                return (Result(name: address, report: report, status: answer.status), nil)
            }
            var report = AssociationLint.lint(answer.body, name: url.path.isEmpty ? nil : url.path, kind: kind)
            report.findings += findings
            if kind == .apple { report.findings.append(Self.cdn(report)) }
            return (Result(name: address, report: report, status: answer.status, file: answer.body), answer.body)
        }
    }

    /// A body of which only a part was received: nothing in it is looked into.
    private static func report(
        onTooLarge answer: HTTPResponse, _ kind: AssociationKind?, _ findings: [LintFinding]
    ) -> LintReport {
        let most = AppleAppSiteAssociation.sizeLimit
        let finding = LintFinding(
            .fileTooLarge, "the file has more than \(AssociationLint.sizeLimit) bytes, and systems read \(most)")
        let declared = answer["Content-Length"].flatMap { Int($0) }
        var report = LintReport(
            kind: kind, byteCount: declared ?? AssociationLint.sizeLimit + 1, findings: [finding] + findings)
        if kind == .apple { report.findings.append(cdn(report)) }
        return report
    }

    /// Does not follow redirects.
    private func fetch(_ address: String, as agent: String) async -> HTTPOutcome {
        // One byte above the limit, to detect files that are too long.
        let request = HTTPRequest(
            address, fields: [("User-Agent", agent), ("Accept", "application/json")], timeout: timeout,
            bodyLimit: AssociationLint.sizeLimit + 1)
        return await HTTPClient().outcomes(of: [request]) { _ in false }[0]
    }

    private func findings(
        of answer: HTTPResponse, after duration: Duration, at address: String, _ kind: AssociationKind?
    ) async -> [LintFinding] {
        var findings: [LintFinding] = []
        switch answer.status {
        case 200: break
        case 300..<400:
            let target = answer["Location"].map { " to \($0)" } ?? ""
            findings.append(LintFinding(.fetchRedirect, "the answer is \(answer.status), a redirect\(target)"))
        default:
            findings.append(LintFinding(.fetchStatus, "the answer is \(answer.status)"))
            // A bot filter may only let browsers through.
            if await fetch(address, as: Self.browser).response?.status == 200 {
                findings.append(
                    LintFinding(.fetchBlocked, "a browser gets 200 and \(Self.fetcher(kind)) gets \(answer.status)"))
            }
        }
        if answer.status == 200 {
            let type = answer["Content-Type"] ?? "none"
            let media = type.split(separator: ";").first.map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
            if media == "text/html" {
                findings.append(LintFinding(.fetchTypeHTML, "the Content-Type is \(type)"))
            } else if media != "application/json" {
                findings.append(LintFinding(.fetchType, "the Content-Type is \(type)"))
            }
        }
        if duration > .seconds(3) {
            let seconds = (duration / .milliseconds(100)).rounded() / 10
            findings.append(LintFinding(.fetchSlow, "the answer took \(seconds) seconds"))
        }
        return findings
    }

    /// The user agent that fetches the file.
    private static func fetcher(_ kind: AssociationKind?) -> String {
        kind == .assetLinks ? "GoogleAssociationService" : "AASA-Bot/1.0.0"
    }

    private static let browser =
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1"

    // MARK: Apple's CDN

    private static func cdn(_ report: LintReport) -> LintFinding {
        let isJSON = !report.findings.contains { $0.rule.rawValue.hasPrefix("json-") && $0.rule.severity == .error }
        if report.byteCount > AppleAppSiteAssociation.sizeLimit {
            return LintFinding(.fetchCDN, "devices would not take a file of this size from Apple's CDN")
        }
        guard isJSON else {
            return LintFinding(
                .fetchCDN, "Apple's CDN would answer 404, Apple-Failure-Reason: SWCERR00401 Bad JSON content")
        }
        if report.findings.contains(where: { $0.rule == .fetchAddress }) {
            return LintFinding(
                .fetchCDN, "Apple's CDN would answer 404, Apple-Failure-Reason: SWCERR00202, for a private address")
        }
        return LintFinding(
            .fetchCDN,
            "Apple's CDN would take this file within a day; devices that have the app ask it about once a week")
    }

    private static func cdn(status: Int) -> LintFinding {
        LintFinding(
            .fetchCDN,
            "Apple's CDN would answer 404, Apple-Failure-Reason: SWCERR00101 Bad HTTP Response: \(status)")
    }

    private static func cdn(failure rule: LintRule) -> LintFinding {
        let reason =
            rule == .fetchConnection
            ? ", Apple-Failure-Reason: SWCERR00301 Timeout, or a like one" : ": it would not reach the host either"
        return LintFinding(.fetchCDN, "Apple's CDN would answer 404\(reason)")
    }
}

extension HTTPFailure {
    fileprivate var rule: LintRule {
        switch self {
        case .url, .name: .fetchName
        case .connection(.encryption, _): .fetchTLS
        case .connection, .unreadable, .address, .body: .fetchConnection
        }
    }
}

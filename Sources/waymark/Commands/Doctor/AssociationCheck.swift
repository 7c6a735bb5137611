import WaymarkAssociation
import WaymarkClient
import WaymarkJSON

/// A host's association files as Apple's and Google's fetchers see them.
enum AssociationCheck {
    /// - Parameters:
    ///   - results: of all locations of the file.
    ///   - hasApp: whether an app needs the file; nil: unknown.
    ///   - links: URLs that should open the app; the first is the sample of a new link.
    static func finding(
        _ kind: AssociationKind, _ results: [AssociationVisit.Result], hasApp: Bool?, links: [String] = []
    ) -> DoctorFinding {
        let check = kind == .apple ? DoctorCheck.appleFile : .googleFile
        guard !results.isEmpty else { return .skipped(check, "no trusted connection to the host") }
        if results.allSatisfy({ $0.status == 404 }) {
            switch hasApp {
            case true?:
                return .finding(
                    check, "there is no \(kind.rawValue), although an application of this host has the app",
                    fix: "point this host to Waymark, or forward /.well-known to it")
            case false?: return .ok(check, "there is none, and no application of this host has the app")
            case nil: return .skipped(check, "there is none; it is needed if the host opens an app")
            }
        }
        // The address and the certificate have checks of their own.
        let others: Set<LintRule> = [
            .fetchAddress, .fetchName, .fetchTLS, .fetchTLSChain, .fetchTLSName, .fetchTLSExpired,
        ]
        var worst: Problem?
        var count = 0
        func note(_ findings: [LintFinding], in result: AssociationVisit.Result) {
            for finding in findings where !others.contains(finding.rule) {
                guard let problem = Problem(finding, in: result) else { continue }
                count += 1
                if worst.map({ problem.rank < $0.rank }) ?? true { worst = problem }
            }
        }
        for result in results { note(result.report.findings, in: result) }
        if hasApp == true, let result = results.first(where: { $0.file != nil }), let file = result.file {
            note(AssociationLint.findings(of: file, kind, sample: links.first, links: links.dropFirst()), in: result)
        }
        if let worst {
            let finding = worst.finding
            let line = finding.line.map { ":\($0)" } ?? ""
            let more = count > 1 ? " (and \(count - 1) more: waymark association lint)" : ""
            return .finding(
                check, "\(path(worst.name))\(line): \(finding.problem) [\(finding.rule.rawValue)]\(more)",
                fix: finding.mend.isEmpty ? "see docs/guide/association.md" : finding.mend)
        }
        guard let served = results.first(where: { $0.status == 200 }) else {
            return .skipped(check, "it can't be fetched: see the findings above")
        }
        return .ok(check, "\(path(served.name)), \(served.report.byteCount) bytes")
    }

    /// A finding that is an error or a warning.
    private struct Problem {
        let name: String
        let finding: LintFinding
        /// Errors first, and the response before its content, which may be that of another page.
        let rank: Int

        init?(_ finding: LintFinding, in result: AssociationVisit.Result) {
            guard let place = [LintSeverity.error, .warning].firstIndex(of: finding.rule.severity) else { return nil }
            rank = 2 * place + (finding.rule.isAboutResponse ? 0 : 1)
            name = result.name
            self.finding = finding
        }
    }

    /// Without scheme and host.
    private static func path(_ url: String) -> String {
        let parts = url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: true)
        return parts.count == 3 ? "/" + parts[2] : url
    }
}

extension DoctorTarget {
    /// The sample of a new link, then the newest links, without a port, as devices compare them.
    var associationURLs: [String] { ([AssociationLint.samplePath] + links).map { "https://\(host)\($0)" } }
}

/// How pages on iPhones open the app.
enum OpenHostCheck {
    /// - Parameter openHost: nil: none is set.
    static func finding(_ openHost: String?) -> DoctorFinding {
        if let openHost { return .ok(.openHost, "pages on iPhones open the app through \(openHost)") }
        return .skipped(
            .openHost,
            """
            none is set: pages on iPhones start the app by its scheme, which shows an error where the app is missing; set \
            the application's openHost to a second domain, see docs/guide/own-domain.md
            """)
    }
}

extension LintRule {
    /// Whether it is about how the file is served.
    fileprivate var isAboutResponse: Bool { rawValue.hasPrefix("fetch-") }
}

/// The copy of the file that devices get from Apple's CDN.
enum AppleCDNCheck {
    enum Copy: Sendable, Equatable {
        /// With the reason.
        case unreachable(String)
        /// - Parameter reason: `Apple-Failure-Reason`.
        case answered(status: Int, reason: String?, body: [UInt8])
        /// More bytes than are looked into.
        case tooLarge

        init(_ answer: Result<HTTPResponse, FetchProblem>) {
            switch answer {
            case .failure(let problem): self = .unreachable(problem.sentence)
            case .success(let response) where response.status == 200 && response.isCutOff: self = .tooLarge
            case .success(let response):
                self = .answered(
                    status: response.status, reason: response["Apple-Failure-Reason"], body: response.body)
            }
        }
    }

    static func url(_ host: String) -> String { "https://\(DoctorNetwork.reference)/a/v1/\(host)" }

    /// - Parameters:
    ///   - copy: nil: it was not asked for.
    ///   - served: the file that the host serves; nil: none.
    static func finding(_ copy: Copy?, served: [UInt8]?, target: DoctorTarget) -> DoctorFinding {
        guard target.port == 443 else { return .skipped(.appleCDN, "Apple asks port 443 only") }
        guard let copy else { return .skipped(.appleCDN, "there is no file to compare with") }
        switch copy {
        case .unreachable(let reason): return .skipped(.appleCDN, reason)
        case .tooLarge:
            return .finding(
                .appleCDN,
                "Apple's CDN has a file of more than \(AssociationLint.sizeLimit) bytes, which devices do not take",
                fix: "serve a shorter file")
        case .answered(200, _, let body):
            guard let served else {
                return .finding(
                    .appleCDN, "Apple's CDN has a file, but the host serves none: devices lose it within a day",
                    fix: "serve the file again")
            }
            guard isSame(body, served) else {
                return .finding(
                    .appleCDN, "Apple's CDN has an older or different copy",
                    fix: "it refreshes within a day, devices about once a week")
            }
            return .ok(.appleCDN, "Apple's CDN has the same file")
        case .answered(404, let reason, _):
            guard served != nil else { return .ok(.appleCDN, "Apple's CDN has no file, and the host serves none") }
            let text = reason.map { ": \($0)" } ?? ""
            return .finding(
                .appleCDN, "Apple's CDN has no file\(text)",
                fix: "let AASA-Bot through from any address, without redirect; the CDN tries again within a day")
        case .answered(let status, _, _):
            return .skipped(.appleCDN, "Apple's CDN answered \(status)")
        }
    }

    /// Equal as JSON; the CDN may send another formatting.
    private static func isSame(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        if one == other { return true }
        guard let one = try? JSONValue(parsing: one), let other = try? JSONValue(parsing: other) else { return false }
        return one == other
    }
}

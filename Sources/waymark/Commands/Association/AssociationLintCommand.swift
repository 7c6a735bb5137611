import ArgumentParser
import Foundation
import WaymarkAPI
import WaymarkAssociation
import WaymarkClient
import WaymarkJSON
import WaymarkTLS

/// `waymark association lint FILE|URL|--app ID`: exits with 0 if there are no warnings or errors, 1 if there are
/// some, 2 if nothing could be read.
struct AssociationLintCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lint",
        abstract: "Check association files: on this machine, on a server, or those of an application.",
        discussion: """
            Given a URL without a path, all three places where association files may stand are asked as Apple and Google \
            ask them: without following redirects. Exit status: 0 without a warning or an error, 1 with one, 2 where \
            nothing could be read.
            """)

    @Argument(help: "The file, - for standard input, or an http or https URL.")
    var target: String?

    @Option(
        name: .long,
        help: ArgumentHelp("The files that are made for the application of this id.", valueName: "id"))
    var app: String?

    @OptionGroup var client: ClientOptions

    mutating func run() async throws {
        switch (target, app) {
        case (let target?, nil):
            if target.hasPrefix("https://") || target.hasPrefix("http://") {
                try await lint(url: target)
            } else {
                let bytes = try AssociationFile.bytes(target)
                guard bytes.count <= AssociationLint.sizeLimit else {
                    throw CommandFailure.usage("\(target): can't be used: \(AssociationLint.tooLarge(bytes.count))")
                }
                let report = AssociationLint.lint(bytes, name: target == "-" ? nil : target)
                try finish(
                    [(target, report.jsonValue, report.text(name: target))], isClean: report.isClean, as: .single)
            }
        case (nil, let app?):
            try await lint(application: app)
        default:
            throw CommandFailure.usage("give a file, a URL, or --app with an application's id")
        }
    }

    private enum Shape {
        case single, several
    }

    private func finish(
        _ reports: [(name: String, json: JSONValue, text: String)], isClean: Bool, as shape: Shape
    ) throws {
        show(reports, isClean: isClean, as: shape)
        if !isClean { throw ExitCode(1) }
    }

    private func show(
        _ reports: [(name: String, json: JSONValue, text: String)], isClean: Bool, as shape: Shape
    ) {
        if client.json {
            switch shape {
            case .single: print(reports[0].json.text(style: .pretty))
            case .several:
                let files = reports.map { report -> JSONValue in
                    var object: JSONObject = ["name": JSONValue(report.name)]
                    for member in report.json.object?.members ?? [] { object[member.name] = member.value }
                    return JSONValue(object)
                }
                let all: JSONObject = ["clean": JSONValue(isClean), "files": JSONValue(files)]
                print(JSONValue(all).text(style: .pretty))
            }
        } else {
            print(reports.map(\.text).joined(separator: "\n\n"))
        }
        StandardOutput.flush()
    }

    // MARK: An application's

    private func lint(application id: String) async throws {
        let api = try await client.open(.fails)
        var reports: [(name: String, json: JSONValue, text: String)] = []
        var isClean = true
        do {
            for kind in AssociationKind.allCases {
                let body = AssociationSubject(.application(id), kind: kind.rawValue).json
                let answer = try await api.send(
                    APIRequest(method: "POST", target: Endpoint.associationLint, body: body))
                let value = (try? JSONValue(parsing: answer.body)) ?? .null
                if answer.status == 404, Problem(json: answer.body)?.known == .resourceUnknown { continue }
                guard answer.status == 200 else {
                    throw CommandFailure.usage(value["detail"]?.string ?? "the server answered \(answer.status)")
                }
                reports.append((kind.rawValue, value, Self.text(value, name: "\(id): \(kind.rawValue)")))
                isClean = isClean && value["clean"]?.bool == true
            }
        } catch {
            await api.close()
            throw error
        }
        await api.close()
        guard !reports.isEmpty else {
            throw CommandFailure.usage("\(id) has no app for iOS or Android, so there are no files")
        }
        try finish(reports, isClean: isClean, as: .several)
    }

    /// A server's report as human-readable text.
    private static func text(_ report: JSONValue, name: String) -> String {
        let findings = (report["findings"]?.array ?? []).compactMap { value -> LintFinding? in
            guard let rule = (value["code"]?.string).flatMap({ LintRule(rawValue: $0) }) else { return nil }
            return LintFinding(
                rule, value["problem"]?.string ?? "", mend: value["mend"]?.string ?? "",
                line: value["line"]?.integer, column: value["column"]?.integer, pointer: value["pointer"]?.string)
        }
        return LintReport(kind: nil, byteCount: report["bytes"]?.integer ?? 0, findings: findings).text(name: name)
    }

    // MARK: A server's

    private func lint(url text: String) async throws {
        guard let url = AssociationURL(text), URL(string: text) != nil else {
            throw CommandFailure.usage("\"\(text)\" is no URL")
        }
        let visit = AssociationVisit(url)
        let results = await visit.results()
        let isClean = results.allSatisfy { $0.report.isClean }
        show(
            results.map { ($0.name, $0.report.jsonValue, $0.report.text(name: $0.name)) }, isClean: isClean,
            as: .several)
        if results.allSatisfy({ $0.status == nil }) {
            throw CommandFailure.usage(results.first?.report.findings.first?.problem ?? "\(text) can't be read")
        }
        if !isClean { throw ExitCode(1) }
    }
}

extension LintReport {
    fileprivate var jsonValue: JSONValue { (try? JSONValue(parsing: json())) ?? .null }
}

/// Problems of a host's certificate that a client rejected.
enum CertificateFindings {
    /// All findings; empty if this machine finds none.
    static func of(_ url: AssociationURL) async -> [LintFinding] {
        let (host, port) = (url.host, url.port.flatMap { Int($0) } ?? 443)
        let outcome = await NetworkThread.run { CertificateInspection.inspect(host: host, port: port) }
        guard case .presented(_, let faults) = outcome else { return [] }
        return faults.map { finding($0, host) }
    }

    private static func finding(_ fault: CertificateInspection.Fault, _ host: String) -> LintFinding {
        switch fault {
        case .untrusted(let reason):
            LintFinding(.fetchTLSChain, "the certificate of \(host) is not to be trusted: \(reason)")
        case .otherNames(let names):
            LintFinding(
                .fetchTLSName,
                names.isEmpty
                    ? "the certificate of \(host) names no host"
                    : "the certificate of \(host) is valid for \(names.joined(separator: ", ")) only")
        case .expired(let moment):
            LintFinding(.fetchTLSExpired, "the certificate of \(host) has expired, on \(day(moment))")
        case .notYetValid(let moment):
            LintFinding(.fetchTLSExpired, "the certificate of \(host) is not valid before \(day(moment))")
        }
    }

    private static func day(_ moment: Int64) -> String {
        Date(timeIntervalSince1970: TimeInterval(moment)).formatted(.iso8601)
    }
}

import WaymarkJSON

/// What `waymark doctor` checks. The raw values are names in its output and in docs/operations/doctor.md.
enum DoctorCheck: String, CaseIterable, Sendable {
    // Of a host.
    case dns
    case https
    case http
    case certificate
    case renewal
    case served
    case appleFile = "apple-file"
    case appleCDN = "apple-cdn"
    case appleFetch = "apple-fetch"
    case googleFile = "google-file"
    case openHost = "open-host"
    case redirects

    // Of the machine and its configuration.
    case hosts
    case clock
    case disk
    case database
    case openFiles = "open-files"
    case proxies
    case acme
    case provider
    case clickhouse
    case verification
}

/// The result of one check.
struct DoctorFinding: Sendable, Equatable {
    enum State: String, Sendable {
        case ok
        case finding
        /// The check needs something that this machine doesn't reach or have.
        case skipped
    }

    /// Nil: a check of the machine.
    var host: String?
    var check: DoctorCheck
    var state: State
    /// One line without a full stop.
    var detail: String
    /// How to fix it; only of a finding.
    var fix: String?

    static func ok(_ check: DoctorCheck, _ detail: String) -> DoctorFinding {
        DoctorFinding(check: check, state: .ok, detail: detail.shown())
    }

    static func skipped(_ check: DoctorCheck, _ detail: String) -> DoctorFinding {
        DoctorFinding(check: check, state: .skipped, detail: detail.shown())
    }

    static func finding(_ check: DoctorCheck, _ detail: String, fix: String) -> DoctorFinding {
        DoctorFinding(check: check, state: .finding, detail: detail.shown(), fix: fix.shown())
    }

    func of(_ host: String) -> DoctorFinding {
        var finding = self
        finding.host = host
        return finding
    }

    var jsonValue: JSONValue {
        [
            "host": host.map { JSONValue($0) } ?? .null, "check": JSONValue(check.rawValue),
            "state": JSONValue(state.rawValue), "detail": JSONValue(detail),
            "fix": fix.map { JSONValue($0) } ?? .null,
        ]
    }
}

/// All results: those of hosts, then those of the machine.
struct DoctorReport: Sendable {
    var findings: [DoctorFinding]

    var isGood: Bool { !findings.contains { $0.state == .finding } }

    var jsonValue: JSONValue { ["findings": JSONValue(findings.map(\.jsonValue))] }

    /// For people: grouped by host, columns aligned, one line for each check.
    var text: String {
        let nameWidth = findings.map(\.check.rawValue.count).max() ?? 0
        let stateWidth = DoctorFinding.State.skipped.rawValue.count
        var lines: [String] = []
        var group: String??
        for finding in findings {
            if group != .some(finding.host) {
                if group != nil { lines.append("") }
                group = .some(finding.host)
                lines.append(finding.host ?? "this machine")
            }
            let state = finding.state.rawValue.padded(to: stateWidth)
            let fix = finding.fix.map { "; \($0)" } ?? ""
            lines.append("  \(state)  \(finding.check.rawValue.padded(to: nameWidth))  \(finding.detail)\(fix)")
        }
        let found = findings.count { $0.state == .finding }
        let skipped = findings.count { $0.state == .skipped }
        let count = found == 0 ? "no findings" : found.counted("finding")
        lines += ["", skipped == 0 ? count : "\(count), \(skipped) skipped"]
        return lines.joined(separator: "\n")
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }

    /// The text on one line, without control characters and of bounded length: servers wrote parts of it, and it goes
    /// to a terminal.
    func shown(atMost limit: Int = 300) -> String {
        var text = String.UnicodeScalarView()
        for scalar in unicodeScalars.prefix(limit) {
            let isPlain =
                !scalar.properties.isDefaultIgnorableCodePoint && scalar.properties.generalCategory != .control
            text.append(isPlain && !scalar.isLineSeparator ? scalar : " ")
        }
        return String(text) + (unicodeScalars.count > limit ? "…" : "")
    }
}

extension Unicode.Scalar {
    fileprivate var isLineSeparator: Bool { value == 0x2028 || value == 0x2029 }
}

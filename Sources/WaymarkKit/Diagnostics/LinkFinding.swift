/// The result of one of the checks that `WaymarkClient.check(_:)` makes.
public struct LinkFinding: Sendable, Hashable {
    /// What is compared. The raw values are the names in the output.
    public enum Check: String, Sendable, Hashable, CaseIterable {
        /// The service answers as Waymark.
        case service
        /// The key is known and has the scope `resolve`.
        case key
        /// The device's clock and the service's differ by at most 5 minutes.
        case clock
        /// The service has the application of `ClientOptions.app`.
        case app
        /// The router's hosts are those of the application.
        case domains
        /// The router and the app's Info.plist have the application's URL scheme.
        case scheme
        /// Routes are mapped.
        case routes
    }

    /// The result.
    public enum State: String, Sendable, Hashable {
        /// All is well.
        case ok
        /// Something is wrong; `fix` says what to do.
        case finding
        /// The check needs something that is not there, such as a key that may read the application.
        case skipped
    }

    /// What was checked.
    public let check: Check
    /// The result.
    public let state: State
    /// One line without a full stop.
    public let detail: String
    /// What to do; only of a finding.
    public let fix: String?

    static func ok(_ check: Check, _ detail: String) -> LinkFinding {
        LinkFinding(check: check, state: .ok, detail: detail, fix: nil)
    }

    static func skipped(_ check: Check, _ detail: String) -> LinkFinding {
        LinkFinding(check: check, state: .skipped, detail: detail, fix: nil)
    }

    static func finding(_ check: Check, _ detail: String, fix: String) -> LinkFinding {
        LinkFinding(check: check, state: .finding, detail: detail, fix: fix)
    }
}

extension LinkFinding: CustomStringConvertible {
    /// A line as `waymark doctor` prints it: state, check and detail in columns, and what to do.
    public var description: String {
        func column(_ text: String, _ width: Int) -> String {
            text + String(repeating: " ", count: max(0, width - text.count))
        }
        return "  \(column(state.rawValue, 7))  \(column(check.rawValue, 7))  \(detail)"
            + (fix.map { "; \($0)" } ?? "")
    }
}

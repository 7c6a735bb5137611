import WaymarkJSON
import WaymarkServer

/// The contents of the access log, as configured.
enum AccessLogSetting: Sendable, Equatable {
    /// `"off"`: nothing.
    case off
    /// `false`: everything except successful visits of links.
    case withoutVisits
    /// A number of at least 2: one of this many visits of links.
    case sampled(oneIn: Int)
    /// `true`: everything.
    case all

    static let type = SettingType(
        "true, false, \"off\" or a number from 2 to 1000000", convert: { AccessLogSetting($0) }, write: \.value)

    /// Nil if the value is none of these.
    init?(_ value: JSONValue) {
        if let flag = value.bool {
            self = flag ? .all : .withoutVisits
        } else if let number = value.integer, (2...1_000_000).contains(number) {
            self = .sampled(oneIn: number)
        } else if value.string == "off" {
            self = .off
        } else {
            return nil
        }
    }

    var value: JSONValue {
        switch self {
        case .off: "off"
        case .withoutVisits: false
        case .sampled(let interval): JSONValue(interval)
        case .all: true
        }
    }

    /// Nil disables the log.
    var scope: AccessLogScope? {
        switch self {
        case .off: nil
        case .withoutVisits: .withoutQuiet
        case .sampled(let interval): .sampled(oneIn: interval)
        case .all: .all
        }
    }
}

import WaymarkJSON
import WaymarkServer

/// What the access log holds, as the configuration says it.
enum AccessLogSetting: Sendable, Equatable {
    /// `"off"`: nothing.
    case off
    /// `false`: everything but visits of links, save those that failed.
    case withoutVisits
    /// A number from 2 on: of the visits of links one in so many.
    case sampled(oneIn: Int)
    /// `true`: everything.
    case all

    static let type = SettingType(
        "true, false, \"off\" or a number from 2 to 1000000", convert: { AccessLogSetting($0) }, write: \.value)

    /// Nil where the value is none of them.
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

    /// Nil for no log at all.
    var scope: AccessLogScope? {
        switch self {
        case .off: nil
        case .withoutVisits: .withoutQuiet
        case .sampled(let interval): .sampled(oneIn: interval)
        case .all: .all
        }
    }
}

import WaymarkHTTP
import WaymarkJSON
import WaymarkServer

/// One member of `limits` in the configuration file: its name, what it may be, and where it goes.
///
/// `docs/operations/limits.md` describes each; a test holds the two together.
struct LimitSetting: Sendable {
    /// How the value is written.
    enum Form: Sendable {
        /// An integer.
        case count(ClosedRange<Int>, any WritableKeyPath<ServerLimits, Int> & Sendable)
        /// Seconds, with up to three digits behind the point.
        case seconds(ClosedRange<Int>, any WritableKeyPath<ServerLimits, Duration> & Sendable)
        case flag(any WritableKeyPath<ServerLimits, Bool> & Sendable)
    }

    let name: String
    let form: Form

    private init(_ name: String, _ form: Form) {
        self.name = name
        self.form = form
    }

    static let all: [LimitSetting] = [
        LimitSetting("requestLineBytes", .count(1_024...1_048_576, \.head.requestLine)),
        LimitSetting("headerLineBytes", .count(1_024...1_048_576, \.head.field)),
        LimitSetting("headerBytes", .count(1_024...4_194_304, \.head.section)),
        LimitSetting("headerLines", .count(16...10_000, \.head.fieldCount)),
        LimitSetting("bodyBytes", .count(65_536...8_388_608, \.body)),
        LimitSetting("chunkOverheadBytes", .count(0...1_048_576, \.chunkOverhead)),
        LimitSetting("unwantedBodyBytes", .count(0...8_388_608, \.unwantedBody)),
        LimitSetting("readAheadBytes", .count(4_096...1_048_576, \.readAhead)),

        LimitSetting("connections", .count(1...1_000_000, \.connections)),
        LimitSetting("connectionsPerAddress", .count(1...1_000_000, \.connectionsPerAddress)),
        LimitSetting("exemptLoopback", .flag(\.exemptsLoopback)),
        LimitSetting("requestsPerConnection", .count(1...1_000_000_000, \.requestsPerConnection)),
        LimitSetting("requestsPerTurn", .count(1...10_000, \.requestsPerTurn)),
        LimitSetting("connectionSeconds", .seconds(1...31_536_000, \.connectionAge)),
        LimitSetting("waitingRequests", .count(1...1_000_000, \.waitingRequests)),
        LimitSetting("bodyMemoryBytes", .count(1_048_576...1_099_511_627_776, \.bodyMemory)),

        LimitSetting("firstByteSeconds", .seconds(0...3_600, \.firstByte)),
        LimitSetting("headerSeconds", .seconds(0...3_600, \.header)),
        LimitSetting("bodyIdleSeconds", .seconds(0...3_600, \.bodyIdle)),
        LimitSetting("bodySeconds", .seconds(0...86_400, \.bodyTotal)),
        LimitSetting("bodyBytesPerSecond", .count(0...1_073_741_824, \.bodyRate)),
        LimitSetting("keepAliveSeconds", .seconds(0...86_400, \.keepAliveIdle)),
        LimitSetting("keepAliveWhenCrowdedSeconds", .seconds(0...86_400, \.keepAliveIdleWhenCrowded)),
        LimitSetting("writeStallSeconds", .seconds(0...3_600, \.writeStall)),
        LimitSetting("writeBytesPerSecond", .count(0...1_073_741_824, \.writeRate)),

        LimitSetting("lingerIdleSeconds", .seconds(0...60, \.lingerIdle)),
        LimitSetting("lingerSeconds", .seconds(0...60, \.lingerTotal)),
        LimitSetting("lingerBytes", .count(0...1_073_741_824, \.lingerBytes)),
        LimitSetting("lingeringConnections", .count(0...1_000_000, \.lingeringConnections)),
        LimitSetting("shutdownGraceSeconds", .seconds(0...3_600, \.shutdownGrace)),
    ]

    /// What may be given, for a message.
    var allowed: String {
        switch form {
        case .count(let range, _): "a number from \(range.lowerBound) to \(range.upperBound)"
        case .seconds(let range, _):
            "seconds from \(range.lowerBound == 0 ? "0.001" : "\(range.lowerBound)") to \(range.upperBound)"
        case .flag: "true or false"
        }
    }

    /// Puts a value where it belongs; false where it is not allowed.
    func set(_ value: JSONValue, in limits: inout ServerLimits) -> Bool {
        switch form {
        case .count(let range, let location):
            guard let count = value.integer, range.contains(count) else { return false }
            limits[keyPath: location] = count
        case .seconds(let range, let location):
            guard let seconds = value.number?.double else { return false }
            let milliseconds = (seconds * 1_000).rounded()
            // Zero would end everything before it began.
            let least = max(1, Double(range.lowerBound) * 1_000)
            guard milliseconds >= least, milliseconds <= Double(range.upperBound) * 1_000 else { return false }
            limits[keyPath: location] = .milliseconds(Int64(milliseconds))
        case .flag(let location):
            guard let flag = value.bool else { return false }
            limits[keyPath: location] = flag
        }
        return true
    }

    /// The value as the configuration file would have it.
    func value(in limits: ServerLimits) -> JSONValue {
        switch form {
        case .count(_, let location): return JSONValue(limits[keyPath: location])
        case .flag(let location): return JSONValue(limits[keyPath: location])
        case .seconds(_, let location):
            let (seconds, attoseconds) = limits[keyPath: location].components
            if attoseconds == 0 { return JSONValue(Int(seconds)) }
            return JSONValue(Double(seconds) + Double(attoseconds) / 1e18) ?? .null
        }
    }
}

extension ServerLimits {
    /// As `limits` in the configuration file would have them, each with its name.
    var document: JSONValue {
        var members = JSONObject()
        for setting in LimitSetting.all { members[setting.name] = setting.value(in: self) }
        return JSONValue(members)
    }
}

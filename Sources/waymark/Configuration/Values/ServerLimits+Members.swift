import WaymarkHTTP
import WaymarkServer

extension ServerLimits {
    /// The members of `limits` in the configuration file. `docs/operations/limits.md` describes each; a test compares
    /// the two.
    static let members: [SettingMember<ServerLimits>] = [
        SettingMember("requestLineBytes", .integer(1_024...1_048_576), \.head.requestLine),
        SettingMember("headerLineBytes", .integer(1_024...1_048_576), \.head.field),
        SettingMember("headerBytes", .integer(1_024...4_194_304), \.head.section),
        SettingMember("headerLines", .integer(16...10_000), \.head.fieldCount),
        SettingMember("bodyBytes", .integer(65_536...8_388_608), \.body),
        SettingMember("chunkOverheadBytes", .integer(0...1_048_576), \.chunkOverhead),
        SettingMember("unwantedBodyBytes", .integer(0...8_388_608), \.unwantedBody),
        SettingMember("readAheadBytes", .integer(4_096...1_048_576), \.readAhead),

        SettingMember("connections", .integer(1...1_000_000), \.connections),
        SettingMember("connectionsPerAddress", .integer(1...1_000_000), \.connectionsPerAddress),
        SettingMember("exemptLoopback", .boolean, \.exemptsLoopback),
        SettingMember("requestsPerConnection", .integer(1...1_000_000_000), \.requestsPerConnection),
        SettingMember("requestsPerTurn", .integer(1...10_000), \.requestsPerTurn),
        SettingMember("connectionSeconds", .seconds(1...31_536_000), \.connectionAge),
        SettingMember("waitingRequests", .integer(1...1_000_000), \.waitingRequests),
        SettingMember("bodyMemoryBytes", .integer(1_048_576...1_099_511_627_776), \.bodyMemory),

        SettingMember("firstByteSeconds", .seconds(0...3_600), \.firstByte),
        SettingMember("headerSeconds", .seconds(0...3_600), \.header),
        SettingMember("bodyIdleSeconds", .seconds(0...3_600), \.bodyIdle),
        SettingMember("bodySeconds", .seconds(0...86_400), \.bodyTotal),
        SettingMember("bodyBytesPerSecond", .integer(0...1_073_741_824), \.bodyRate),
        SettingMember("keepAliveSeconds", .seconds(0...86_400), \.keepAliveIdle),
        SettingMember("keepAliveWhenCrowdedSeconds", .seconds(0...86_400), \.keepAliveIdleWhenCrowded),
        SettingMember("writeStallSeconds", .seconds(0...3_600), \.writeStall),
        SettingMember("writeBytesPerSecond", .integer(0...1_073_741_824), \.writeRate),

        SettingMember("lingerIdleSeconds", .seconds(0...60), \.lingerIdle),
        SettingMember("lingerSeconds", .seconds(0...60), \.lingerTotal),
        SettingMember("lingerBytes", .integer(0...1_073_741_824), \.lingerBytes),
        SettingMember("lingeringConnections", .integer(0...1_000_000), \.lingeringConnections),
        SettingMember("shutdownGraceSeconds", .seconds(0...3_600), \.shutdownGrace),
    ]
}

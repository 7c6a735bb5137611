/// The durations of `ServerLimits` in milliseconds, the unit of an event loop's clock.
struct Deadlines {
    let firstByte, header, bodyIdle, bodyTotal, keepAliveIdle, keepAliveIdleWhenCrowded, writeStall: Int64
    /// For a body that is passed on in pieces.
    var streamTotal: Int64 { bodyTotal * 60 }
    let connectionAge, lingerIdle, lingerTotal, shutdownGrace: Int64
    /// Milliseconds that an idle connection gets to notice a drain before it is closed.
    let farewell: Int64 = 250

    init(_ limits: ServerLimits) {
        firstByte = Self.milliseconds(limits.firstByte)
        header = Self.milliseconds(limits.header)
        bodyIdle = Self.milliseconds(limits.bodyIdle)
        bodyTotal = Self.milliseconds(limits.bodyTotal)
        keepAliveIdle = Self.milliseconds(limits.keepAliveIdle)
        keepAliveIdleWhenCrowded = Self.milliseconds(limits.keepAliveIdleWhenCrowded)
        writeStall = Self.milliseconds(limits.writeStall)
        connectionAge = Self.milliseconds(limits.connectionAge)
        lingerIdle = Self.milliseconds(limits.lingerIdle)
        lingerTotal = Self.milliseconds(limits.lingerTotal)
        shutdownGrace = Self.milliseconds(limits.shutdownGrace)
    }

    /// Durations are capped at thirty years, so that sums with a clock never overflow.
    private static func milliseconds(_ duration: Duration) -> Int64 {
        let (seconds, attoseconds) = duration.components
        let bounded = min(max(seconds, 0), 1_000_000_000)
        return bounded * 1_000 + max(attoseconds, 0) / 1_000_000_000_000_000
    }
}

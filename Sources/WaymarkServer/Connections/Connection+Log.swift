import WaymarkHTTP
import WaymarkSockets

/// The access log.
extension Connection {
    /// Logs a request that was answered at once.
    func log(_ response: Response, to head: RequestHead, in bytes: Span<UInt8>, _ nanoseconds: Int) {
        let status = Int(response.status.code)
        guard let line = worker.line, worker.wantsLine(of: route) || status >= 500 else { return }
        let outcome = outcome(status, body: bodyBytes(response), nanoseconds)
        write(line, head, bytes, worker.routes[route], outcome)
    }

    /// Logs a request that was answered with a cached response.
    func logReady(_ answer: PreparedResponse, to head: RequestHead, in bytes: Span<UInt8>, _ nanoseconds: Int) {
        guard let line = worker.line, worker.wantsLine(of: answer.route) else { return }
        let route = worker.routes[answer.route]
        let oneIn = route.isQuiet ? worker.quietInterval : 1
        write(
            line, head, bytes, route,
            .init(
                status: Int(answer.status.code), bodyBytes: isHead ? 0 : answer.bodyCount, nanoseconds: nanoseconds,
                oneIn: oneIn))
    }

    private func write(
        _ line: AccessLogLine, _ head: RequestHead, _ bytes: Span<UInt8>, _ route: RequestRoute,
        _ outcome: AccessLogLine.Outcome
    ) {
        let userAgent = head.value(.userAgent)?.indices ?? 0..<0
        let referrer = line.format.hasReferrer ? head.value(.referer)?.indices ?? 0..<0 : 0..<0
        worker.write(
            line.make(
                unixMilliseconds: worker.unixMilliseconds, peer: client, method: head.method.name,
                path: bytes.extracting(head.path.indices), host: bytes.extracting(head.host.indices),
                userAgent: bytes.extracting(userAgent), referrer: bytes.extracting(referrer),
                minorVersion: head.minorVersion, route: route, outcome))
    }

    /// The log's fields of a request that is answered later; nil if it won't be logged.
    func logEntry(for head: RequestHead, in bytes: Span<UInt8>) -> AccessLogEntry? {
        guard let line = worker.line else { return nil }
        return AccessLogEntry(
            method: head.method.name, path: bytes.copy(head.path), host: bytes.copy(head.host),
            userAgent: head.value(.userAgent).map { bytes.copy($0) } ?? [], isWanted: worker.wantsLine(of: route),
            referrer: line.format.hasReferrer ? head.value(.referer).map { bytes.copy($0) } ?? [] : [],
            minorVersion: head.minorVersion)
    }

    /// Logs a request that was answered later, or could not be read (then without an entry).
    func log(_ response: Response, of entry: AccessLogEntry?, _ nanoseconds: Int) {
        let status = Int(response.status.code)
        guard let line = worker.line, entry?.isWanted ?? true || status >= 500 else { return }
        let outcome = outcome(status, body: bodyBytes(response), nanoseconds)
        let entry = entry ?? .unreadable
        worker.write(
            line.make(
                unixMilliseconds: worker.unixMilliseconds, peer: client, method: entry.method, path: entry.path.span,
                host: entry.host.span, userAgent: entry.userAgent.span, referrer: entry.referrer.span,
                minorVersion: entry.minorVersion, route: worker.routes[route], outcome))
    }

    private func outcome(_ status: Int, body: Int, _ nanoseconds: Int) -> AccessLogLine.Outcome {
        // Server errors are always logged, so each counts once.
        let oneIn = worker.routes[route].isQuiet && status < 500 ? worker.quietInterval : 1
        return .init(
            status: status, bodyBytes: body, nanoseconds: nanoseconds, oneIn: oneIn, requestID: requestID)
    }

    private func bodyBytes(_ response: Response) -> Int {
        isHead || response.status.forbidsBody ? 0 : response.body.count
    }
}

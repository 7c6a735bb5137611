import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The transport of apps: a `URLSession` of its own, without cookies and cache, that follows no redirect.
///
/// It may be used from anywhere; requests that run at once share connections. Requests that are under way when it is
/// let go of are finished.
public final class URLSessionTransport: HTTPTransport {
    private let exchanges = Exchanges()
    private let session: URLSession

    /// A transport with an ephemeral session.
    public init() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpShouldSetCookies = false
        configuration.httpCookieStorage = nil
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
    }

    deinit {
        // A session keeps its delegate until it is told that nothing more comes.
        session.finishTasksAndInvalidate()
    }

    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        guard let url = URL(string: request.url) else { throw .unreachable("\(request.url) is no URL") }
        var message = URLRequest(url: url)
        message.httpMethod = request.method
        for (name, value) in request.fields { message.setValue(value, forHTTPHeaderField: name) }
        message.httpBody = Data(request.body)
        // On Linux a session drops the fraction of a second, and what is left may be nothing. The limit below is the exact
        // one and comes first.
        message.timeoutInterval = (request.timeLimit / .seconds(1)).rounded(.up) + 1
        let task = session.dataTask(with: message)
        let identifier = task.taskIdentifier
        // The session's own limit starts again with every byte that arrives; this one does not.
        let limit = Task { [exchanges] in
            guard (try? await Task.sleep(for: request.timeLimit)) != nil else { return }
            exchanges.end(identifier, .failure(.timedOut))
            task.cancel()
        }
        defer {
            limit.cancel()
            exchanges.forget(identifier)
        }
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard exchanges.begin(identifier, limit: request.answerLimit, continuation) else {
                    task.cancel()
                    return
                }
                task.resume()
            }
        } onCancel: {
            exchanges.end(identifier, .failure(.cancelled))
            task.cancel()
        }
        return try outcome.get()
    }
}

/// The requests that are under way. A session has one delegate, which is asked on a queue of the session.
private final class Exchanges: NSObject, URLSessionDataDelegate, Sendable {
    typealias Outcome = Result<TransportResponse, TransportError>

    private struct Exchange {
        let limit: Int
        let continuation: CheckedContinuation<Outcome, Never>
        var answer: TransportResponse?
    }

    private struct State {
        var exchanges: [Int: Exchange] = [:]
        /// Exchanges that ended before they began: whoever waits was cancelled while the request was being prepared.
        var endedEarly: [Int: Outcome] = [:]
    }

    private let state = LockedValue(State())

    /// False where it has ended already; the continuation is resumed then.
    func begin(_ identifier: Int, limit: Int, _ continuation: CheckedContinuation<Outcome, Never>) -> Bool {
        let early = state.withLock { state -> Outcome? in
            if let early = state.endedEarly.removeValue(forKey: identifier) { return early }
            state.exchanges[identifier] = Exchange(limit: limit, continuation: continuation)
            return nil
        }
        guard let early else { return true }
        continuation.resume(returning: early)
        return false
    }

    /// The first end counts. One that comes before the beginning waits for it.
    func end(_ identifier: Int, _ outcome: Outcome) {
        let exchange = state.withLock { state -> Exchange? in
            if let exchange = state.exchanges.removeValue(forKey: identifier) { return exchange }
            if case .failure(.cancelled) = outcome { state.endedEarly[identifier] = outcome }
            return nil
        }
        exchange?.continuation.resume(returning: outcome)
    }

    /// Nobody waits any more, so an end that comes late is not kept.
    func forget(_ identifier: Int) {
        _ = state.withLock { $0.endedEarly.removeValue(forKey: identifier) }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        let length = response.expectedContentLength
        let fits = state.withLock { state in
            guard let limit = state.exchanges[dataTask.taskIdentifier]?.limit, length <= Int64(limit) else {
                return false
            }
            state.exchanges[dataTask.taskIdentifier]?.answer = Self.answer(response)
            return true
        }
        if !fits { end(dataTask.taskIdentifier, .failure(.answerTooLarge)) }
        completionHandler(fits ? .allow : .cancel)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let identifier = dataTask.taskIdentifier
        let fits = state.withLock { state -> Bool in
            guard let exchange = state.exchanges[identifier] else { return false }
            let length = (exchange.answer?.body.count ?? 0).addingReportingOverflow(data.count)
            guard !length.overflow, length.partialValue <= exchange.limit else { return false }
            state.exchanges[identifier]?.answer?.body.append(contentsOf: data)
            return true
        }
        guard !fits else { return }
        end(identifier, .failure(.answerTooLarge))
        dataTask.cancel()
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let identifier = task.taskIdentifier
        guard let error else {
            let answer = state.withLock { $0.exchanges[identifier]?.answer }
            // A session that is not told of the response before its end has it in the task.
            let outcome = answer ?? task.response.flatMap(Self.answer)
            end(identifier, outcome.map { .success($0) } ?? .failure(.unreachable("there was no response")))
            return
        }
        end(identifier, .failure(Self.failure(error)))
        forget(identifier)
    }

    private static func answer(_ response: URLResponse) -> TransportResponse? {
        guard let response = response as? HTTPURLResponse else { return nil }
        var fields: [String: String] = [:]
        for (name, value) in response.allHeaderFields {
            if let name = name as? String, let value = value as? String { fields[name] = value }
        }
        return TransportResponse(status: response.statusCode, fields: fields)
    }

    private static func failure(_ error: any Error) -> TransportError {
        let error = error as NSError
        // Descriptions of the system hold addresses and words, no header fields.
        let words = error.localizedDescription
        guard error.domain == NSURLErrorDomain else { return .unreachable(words) }
        return switch error.code {
        case NSURLErrorNotConnectedToInternet, NSURLErrorDataNotAllowed, NSURLErrorInternationalRoamingOff,
            NSURLErrorCallIsActive:
            .offline
        case NSURLErrorTimedOut: .timedOut
        case NSURLErrorCancelled: .cancelled
        case NSURLErrorSecureConnectionFailed, NSURLErrorServerCertificateUntrusted,
            NSURLErrorServerCertificateHasBadDate, NSURLErrorServerCertificateHasUnknownRoot,
            NSURLErrorServerCertificateNotYetValid, NSURLErrorClientCertificateRejected,
            NSURLErrorClientCertificateRequired, NSURLErrorAppTransportSecurityRequiresSecureConnection:
            .notTrusted(words)
        default: .unreachable(words)
        }
    }
}

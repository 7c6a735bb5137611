import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The default transport: its own `URLSession` without cookies or cache, which follows no redirects.
///
/// It may be used from any thread; concurrent requests share connections. Requests in flight when it is released are
/// completed.
public final class URLSessionTransport: HTTPTransport {
    private let exchanges = Exchanges()
    private let session: URLSession

    /// Creates a transport with an ephemeral session.
    public init() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpShouldSetCookies = false
        configuration.httpCookieStorage = nil
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
    }

    deinit {
        // A session retains its delegate until it is invalidated.
        session.finishTasksAndInvalidate()
    }

    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        guard let url = URL(string: request.url) else { throw .unreachable("\(request.url) is no URL") }
        var message = URLRequest(url: url)
        message.httpMethod = request.method
        for (name, value) in request.fields { message.setValue(value, forHTTPHeaderField: name) }
        if !request.body.isEmpty { message.httpBody = Data(request.body) }
        // On Linux a session drops fractions of a second, which may leave 0. The task below enforces the exact limit,
        // which comes first.
        message.timeoutInterval = (request.timeLimit / .seconds(1)).rounded(.up) + 1
        let task = session.dataTask(with: message)
        let identifier = task.taskIdentifier
        // The session's own limit restarts with every byte received; this one does not.
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
            exchanges.cancel(identifier)
            task.cancel()
        }
        return try outcome.get()
    }
}

/// The requests in flight. A session has one delegate, which it calls on its own queue.
private final class Exchanges: NSObject, URLSessionDataDelegate, Sendable {
    typealias Outcome = Result<TransportResponse, TransportError>

    private struct Exchange {
        let limit: Int
        let continuation: CheckedContinuation<Outcome, Never>
        var answer: TransportResponse?
    }

    private struct State {
        var exchanges: [Int: Exchange] = [:]
        /// Exchanges that ended before they began: the task was cancelled while the request was being prepared.
        var endedEarly: [Int: Outcome] = [:]
    }

    private let state = LockedValue(State())

    /// Returns false, and resumes the continuation, if the exchange has already ended.
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

    /// Only the first outcome counts.
    func end(_ identifier: Int, _ outcome: Outcome) {
        let exchange = state.withLock { $0.exchanges.removeValue(forKey: identifier) }
        exchange?.continuation.resume(returning: outcome)
    }

    /// Ends the exchange; one that has not begun ends when it does. A session that is told of the cancellation meanwhile ends
    /// nothing.
    func cancel(_ identifier: Int) {
        let exchange = state.withLock { state -> Exchange? in
            if let exchange = state.exchanges.removeValue(forKey: identifier) { return exchange }
            state.endedEarly[identifier] = .failure(.cancelled)
            return nil
        }
        exchange?.continuation.resume(returning: .failure(.cancelled))
    }

    /// The caller has returned, so a stored cancellation is dropped.
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
            // If the delegate was not called with the response, the task has it.
            let outcome = answer ?? task.response.flatMap(Self.answer)
            end(identifier, outcome.map { .success($0) } ?? .failure(.unreachable("there was no response")))
            return
        }
        end(identifier, .failure(Self.failure(error)))
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
        // System descriptions contain addresses and text, but no header fields.
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

import Foundation
import Synchronization
import WaymarkAssociation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Gets one file over HTTP and follows no redirect.
struct AssociationClient {
    struct Answer: Sendable {
        var status: Int
        var contentType: String?
        var location: String?
        var body: [UInt8]
        var seconds: Double
    }

    enum Outcome: Sendable {
        case answered(Answer)
        case failed(LintRule, String)
    }

    /// In seconds.
    private static let patience = 15.0

    func get(_ address: String, as agent: String) async -> Outcome {
        guard let url = URL(string: address) else { return .failed(.fetchName, "\(address) is no URL") }
        var request = URLRequest(url: url)
        request.setValue(agent, forHTTPHeaderField: "User-Agent")
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        request.timeoutInterval = Self.patience
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = Self.patience
        configuration.timeoutIntervalForResource = 2 * Self.patience
        let task = Task(request, configuration)
        return await task.outcome()
    }

    /// One request and its answer. Everything that is shared stands behind the lock.
    private final class Task: NSObject, URLSessionDataDelegate, Sendable {
        private struct State {
            var answer: Answer?
            var continuation: CheckedContinuation<Outcome, Never>?
            var session: URLSession?
        }

        private let request: URLRequest
        private let configuration: URLSessionConfiguration
        private let started = ContinuousClock.now
        private let state = Mutex(State())

        init(_ request: URLRequest, _ configuration: URLSessionConfiguration) {
            self.request = request
            self.configuration = configuration
        }

        func outcome() async -> Outcome {
            await withCheckedContinuation { continuation in
                let session = URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
                state.withLock {
                    $0.continuation = continuation
                    $0.session = session
                }
                session.dataTask(with: request).resume()
            }
        }

        func urlSession(
            _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
        ) {
            note(response)
            completionHandler(nil)
        }

        func urlSession(
            _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
            completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
        ) {
            if let response = response as? HTTPURLResponse { note(response) }
            completionHandler(.allow)
        }

        func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
            let isTooLong = state.withLock { state in
                state.answer?.body += data
                return (state.answer?.body.count ?? 0) > AssociationLint.sizeLimit
            }
            if isTooLong { dataTask.cancel() }
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            let seconds = (ContinuousClock.now - started) / .seconds(1)
            let (answer, continuation, session) = state.withLock { state in
                defer { (state.continuation, state.session) = (nil, nil) }
                return (state.answer, state.continuation, state.session)
            }
            session?.finishTasksAndInvalidate()
            if var answer {
                answer.seconds = seconds
                continuation?.resume(returning: .answered(answer))
            } else {
                continuation?.resume(returning: Self.failure(error, request.url?.host() ?? ""))
            }
        }

        private func note(_ response: HTTPURLResponse) {
            let answer = Answer(
                status: response.statusCode, contentType: response.value(forHTTPHeaderField: "Content-Type"),
                location: response.value(forHTTPHeaderField: "Location"), body: [], seconds: 0)
            state.withLock { state in
                if state.answer == nil { state.answer = answer }
            }
        }

        private static func failure(_ error: (any Error)?, _ host: String) -> Outcome {
            guard let error = error as? URLError else { return .failed(.fetchConnection, "\(host) did not answer") }
            let said = error.localizedDescription
            switch error.code {
            case .cannotFindHost, .dnsLookupFailed:
                return .failed(.fetchName, "the name \(host) has no address")
            case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
                .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
                .clientCertificateRequired:
                return .failed(.fetchTLS, "the encrypted connection to \(host) failed: \(said)")
            case .timedOut:
                return .failed(.fetchConnection, "\(host) did not answer within \(Int(patience)) seconds")
            default:
                // Not every system's client has a code of its own for each of these.
                let isTLS = ["ssl", "tls", "certificate"].contains { said.lowercased().contains($0) }
                return isTLS
                    ? .failed(.fetchTLS, "the encrypted connection to \(host) failed: \(said)")
                    : .failed(.fetchConnection, "\(host) can't be reached: \(said)")
            }
        }
    }
}

import Foundation
import WaymarkClient
import WaymarkImports

/// The chain of redirects that a visitor of one device is sent through.
struct RedirectTrace: Sendable, Equatable {
    static let limit = 10

    enum End: Sendable, Equatable {
        /// The last URL does not redirect.
        case arrived(status: Int)
        /// An app's or a store's own scheme.
        case left
        case loop
        case tooMany
        /// From https to http.
        case insecure
        case malformed(String)
        /// The first URL gives no response.
        case failed(String)
        /// Another host gives no response.
        case unknown(String)
    }

    var device: VisitDevice
    /// In order; the first one is the host's.
    var urls: [String]
    var end: End

    /// Follows redirects from `start`.
    ///
    /// - Parameter get: the response to a GET, or a sentence on why there is none.
    static func follow(
        _ start: String, as device: VisitDevice, _ get: (String) async -> Result<HTTPResponse, FetchProblem>
    ) async -> RedirectTrace {
        var trace = RedirectTrace(device: device, urls: [start], end: .tooMany)
        var current = start
        while trace.urls.count <= limit {
            let answer: HTTPResponse
            switch await get(current) {
            case .success(let given): answer = given
            case .failure(let problem):
                trace.end = trace.urls.count == 1 ? .failed(problem.sentence) : .unknown(problem.sentence)
                return trace
            }
            guard [301, 302, 303, 307, 308].contains(answer.status) else {
                trace.end = .arrived(status: answer.status)
                return trace
            }
            guard let location = answer["Location"], let base = URL(string: current),
                let next = URL(string: location, relativeTo: base)?.absoluteURL, let scheme = next.scheme?.lowercased()
            else {
                trace.end = .malformed(answer["Location"] ?? "")
                return trace
            }
            guard ["http", "https"].contains(scheme) else {
                trace.end = .left
                trace.urls.append(next.absoluteString)
                return trace
            }
            let isLoop = trace.urls.contains(next.absoluteString)
            trace.urls.append(next.absoluteString)
            if isLoop || (scheme == "http" && current.lowercased().hasPrefix("https:")) {
                trace.end = isLoop ? .loop : .insecure
                return trace
            }
            current = next.absoluteString
        }
        return trace
    }
}

/// Why there is no response.
struct FetchProblem: Error, Sendable, Equatable {
    let sentence: String
}

/// Where visitors of each platform are sent.
enum RedirectCheck {
    /// - Parameter link: the path of the link that the traces begin with; nil: they begin with `/`.
    static func findings(_ traces: [RedirectTrace], ofLink link: String? = nil) -> [DoctorFinding] {
        let prefix = link.map { "\($0): " } ?? ""
        guard !traces.isEmpty else { return [.skipped(.redirects, "no trusted connection to the host")] }
        var problems: [(text: String, fix: String)] = []
        var devices: [String: [String]] = [:]
        for trace in traces {
            guard let problem = problem(trace, isLink: link != nil) else { continue }
            if devices[problem.text] == nil { problems.append(problem) }
            devices[problem.text, default: []].append(trace.device.rawValue)
        }
        guard problems.isEmpty else {
            return problems.map {
                .finding(
                    .redirects, "\(prefix)\(devices[$0.text, default: []].joined(separator: ", ")): \($0.text)",
                    fix: $0.fix)
            }
        }
        let ends = traces.map { "\($0.device.rawValue): \(end($0))" }
        let first = ends.first.map { String($0.drop { $0 != " " }.dropFirst()) } ?? ""
        let isSame = traces.allSatisfy { end($0) == first }
        return [.ok(.redirects, prefix + (isSame ? "all devices: \(first)" : ends.joined(separator: ", ")))]
    }

    private static func problem(_ trace: RedirectTrace, isLink: Bool) -> (text: String, fix: String)? {
        let last = trace.urls.last ?? ""
        switch trace.end {
        case .arrived(let status) where isLink && trace.urls.count == 1 && status >= 400:
            return ("the link answers \(status)", "forward all paths of the host to Waymark")
        case .arrived(let status) where status >= 500:
            return ("\(last) answers \(status)", "see the log of the server and of its proxy")
        case .arrived, .left, .unknown: return nil
        case .loop:
            return (
                "redirects go in a circle at \(last)",
                "let the proxy pass https on as https: it and the server redirect to each other"
            )
        case .tooMany:
            return ("more than \(RedirectTrace.limit) redirects", "link to the last of them")
        case .insecure:
            return ("a redirect downgrades https to \(last)", "redirect to an https URL")
        case .malformed(let location):
            return ("a redirect of \(last) has the Location \"\(location)\"", "give a whole URL")
        case .failed(let sentence): return (sentence, "see the log of the server and of its proxy")
        }
    }

    private static func end(_ trace: RedirectTrace) -> String {
        let last = trace.urls.last ?? ""
        switch trace.end {
        case .arrived(let status): return trace.urls.count == 1 ? "\(status)" : last
        case .unknown: return "\(last), which this machine does not reach"
        default: return last
        }
    }
}

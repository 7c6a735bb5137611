import Foundation
import WaymarkBytes
import WaymarkClient
import WaymarkJSON
import WaymarkTLS

/// A running server, by URL and key, or by the socket beside its database. The key is only sent to that server: no redirect is
/// followed.
struct RemoteAPI: API {
    /// The URL without a slash at its end.
    let base: String
    /// Nil: the socket is enough.
    let key: String?
    /// Nil: it is reached by its URL.
    private let socket: OwnerSocket?
    private let client: HTTPClient

    /// The detail of a path without a route, and of operators' paths where `adminListen` hides them.
    private static let nowhere = "No route leads here."

    init(_ socket: OwnerSocket) {
        base = "http://localhost"
        key = nil
        self.socket = socket
        client = socket.client
    }

    init(url: String, key: String) throws {
        let base = ServerURL.base(url)
        guard let parsed = URL(string: base), let scheme = parsed.scheme, ["http", "https"].contains(scheme),
            parsed.host() != nil
        else { throw CommandFailure.usage("--url: \"\(url)\" is not allowed; give an http or https URL") }
        guard !key.isEmpty, key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw CommandFailure.usage("--key: a key has visible ASCII characters only")
        }
        self.base = base
        self.key = key
        socket = nil
        client = HTTPClient()
    }

    func send(_ request: APIRequest) async throws -> HTTPResponse {
        var message = message(request.method, request.target, fields: request.fields)
        message.body = request.body
        if request.body != nil { message.fields.append(("Content-Type", request.contentType)) }
        return try await response(to: message)
    }

    /// Posts a body that is read while it is sent.
    func upload(_ target: String, contentType: String, _ stream: HTTPRequest.BodyStream) async throws -> HTTPResponse {
        var message = message("POST", target, fields: [("Content-Type", contentType)])
        message.stream = stream
        return try await response(to: message)
    }

    private func message(
        _ method: String, _ target: String, fields: [(name: String, value: String)]
    ) -> HTTPRequest {
        HTTPRequest(base + target, method: method, fields: fields, timeout: 30, bodyLimit: 256 << 20)
    }

    private func response(to request: HTTPRequest) async throws -> HTTPResponse {
        var message = request
        message.fields.append(("Accept", "application/json"))
        if let key { message.fields.append(("Authorization", "Bearer \(key)")) }
        do {
            let response = try await client.response(to: message)
            guard !response.isCutOff else { throw CommandFailure.failed("\(base): the answer is too large") }
            guard !(300..<400).contains(response.status) else {
                let location = response["Location"].map { " to \($0)" } ?? ""
                throw CommandFailure.usage(
                    "\(base) redirects\(location); give --url the server itself: the key is sent to no other")
            }
            guard !response.isSuccess || !Self.isPage(response) else { throw foreign }
            // Commands only call paths that every server has.
            guard response.status != 404 || socket != nil || APIFailure.sentence(response) != Self.nowhere else {
                throw CommandFailure.failed(
                    "\(base) has no operator API, because the server has adminListen; give --url that address")
            }
            return response
        } catch let failure as HTTPFailure {
            switch failure {
            case .body(let error): throw error
            case _ where socket != nil:
                throw CommandFailure.failed("the server at \(socket?.path ?? ""): \(failure.sentence)")
            case .unreadable, .connection(.broken, _): throw CommandFailure.usage("\(base): \(failure.sentence)")
            default: throw CommandFailure.failed(failure.sentence(ofServer: base))
            }
        }
    }

    func close() async {}
}

extension RemoteAPI {
    /// Each key may send it, also those that are refused a listing.
    static let probe = APIRequest(method: "GET", target: "/api/v1/links?limit=1")

    /// - Parameter answer: to `probe`.
    /// - Throws: `CommandFailure` unless it is that of Waymark, and the server knows the key.
    func check(_ answer: HTTPResponse) throws {
        let body = (try? JSONValue(parsing: answer.body)) ?? .null
        switch answer.status {
        case 200 where body["links"]?.array != nil: return
        // A key that may only resolve or create.
        case 403 where body["type"]?.string != nil: return
        case 401:
            throw CommandFailure.failed(
                "\(base) does not know this key; check that it is whole, or make one there with waymark keys create")
        case 403: throw CommandFailure.failed("\(base): \(APIFailure.sentence(answer))")
        case 429, 500...:
            let sentence = APIFailure.sentence(answer)
            let advice = sentence.hasSuffix(".") ? " Try again later." : "; try again later"
            throw CommandFailure.failed("\(base): \(sentence)\(advice)")
        default: throw foreign
        }
    }

    private var foreign: CommandFailure {
        .failed("\(base) answers, but not as Waymark does; give the address of the server's API")
    }

    /// Whether it is of another program: the API has no pages. A refusal may be the page of a proxy.
    private static func isPage(_ response: HTTPResponse) -> Bool {
        response["Content-Type"]?.asciiLowercased.hasPrefix("text/html") == true
    }
}

package import WaymarkHTTP
package import WaymarkServer

/// What the conformance cases talk to: each path answers in its own way.
package final class ConformanceHandler: RequestHandler {
    package init() {}

    package func respond(to head: RequestHead, in bytes: Span<UInt8>, from peer: Peer) -> Reply {
        let path = head.path.indices.map { bytes[$0] }
        if head.isAsteriskForm { return .now(Self.allowing(Method.allCases, .noContent)) }
        switch String(decoding: path, as: UTF8.self) {
        case "/body": return .body(limit: 1_000) { Response(.ok, body: .bytes($0)) }
        case "/names":
            return .body(limit: 1_000) { [names = names(head, bytes)] _ in Response(.ok, body: .bytes(names)) }
        case "/later": return .later { Response(.ok, body: .bytes(path)) }
        case "/host":
            let port = head.port.map { ":\($0)" } ?? ""
            return .now(Response(.ok, body: .bytes(head.host.indices.map { bytes[$0] } + Array(port.utf8))))
        case "/method": return .now(Response(.ok, body: .bytes(Array(head.method.name.utf8))))
        case "/get" where head.method != .get: return .now(Self.allowing([.get, .head], .methodNotAllowed))
        case "/empty": return .now(Response(.noContent))
        case "/unchanged": return .now(Response(.notModified))
        default: return .now(Response(.ok, body: .bytes(path)))
        }
    }

    package func refusal(_ status: Status, detail: StaticString) -> Response {
        let response = status == .methodNotAllowed ? Self.allowing(Method.allCases, status) : Response(status)
        return Response(status, fields: response.fields, body: .bytes(Array("\(detail)".utf8)))
    }

    private static func allowing(_ methods: [Method], _ status: Status) -> Response {
        var fields = HeaderFields()
        _ = fields.append(.allow, Method.allowList(methods))
        return Response(status, fields: fields)
    }

    /// The names of the fields, as the handler sees them.
    private func names(_ head: RequestHead, _ bytes: Span<UInt8>) -> [UInt8] {
        let names = (0..<head.fieldCount).map { number in
            String(decoding: head.field(at: number).name.indices.map { bytes[$0] }, as: UTF8.self).lowercased()
        }
        return Array(names.joined(separator: " ").utf8)
    }
}

import WaymarkJSON

/// One JSON-RPC 2.0 message of a client.
enum IncomingMessage {
    case request(RequestID, method: String, Parameters)
    /// A notification, or a response to a request that this server never sends: nothing is answered.
    case unanswered
    case malformed(RPCError, RequestID)

    /// The members of messages that are read; everything else is only checked for its grammar, so a message takes little more
    /// memory than its text.
    private static let shape = JSONShape.object([
        "jsonrpc": .scalar, "id": .scalar, "method": .scalar, "result": .scalar, "error": .scalar,
        "params": .object([
            "name": .scalar, "protocolVersion": .scalar, "cursor": .scalar,
            "arguments": .map(.scalar, atMost: Parameters.argumentLimit),
        ]),
    ])

    init(_ bytes: [UInt8]) {
        let document: JSONDocument
        do throws(JSONError) {
            document = try JSONDocument(bytes, depthLimit: Parameters.depthLimit, shape: Self.shape)
        } catch {
            self = .malformed(RPCError(.parse, "The message is not JSON: \(error.description)."), .unknown)
            return
        }
        guard let message = document.root.object else {
            let reason = document.root.array == nil ? "A message is an object." : "Send one message, not a batch."
            self = .malformed(RPCError(.invalidRequest, reason), .unknown)
            return
        }
        let id = message["id"].flatMap { RequestID($0, document) }
        func malformed(_ reason: String) -> IncomingMessage {
            .malformed(RPCError(.invalidRequest, reason), id ?? .unknown)
        }
        guard message["jsonrpc"]?.string == "2.0" else {
            self = malformed("The member jsonrpc must be \"2.0\".")
            return
        }
        guard let method = message["method"] else {
            let isResponse = message["result"] != nil || message["error"] != nil
            self = isResponse ? .unanswered : malformed("The member method is missing.")
            return
        }
        guard let method = method.string else {
            self = malformed("The member method must be a string.")
            return
        }
        guard message["id"] != nil else {
            self = .unanswered
            return
        }
        guard let id else {
            self = malformed("The member id must be a string or an integer.")
            return
        }
        self = .request(id, method: method, Parameters(message["params"], of: document))
    }
}

/// The id of a request, as it was spelled.
struct RequestID: Sendable {
    let text: [UInt8]

    /// For a message whose id can't be read.
    static let unknown = RequestID(text: Array("null".utf8))

    private init(text: [UInt8]) { self.text = text }

    /// Nil unless it is a string or an integer.
    init?(_ value: JSONValue, _ document: JSONDocument) {
        guard value.string != nil || value.integer != nil else { return nil }
        text = document.text(of: value)
    }
}

/// The `params` of a request.
struct Parameters {
    static let argumentLimit = 64
    /// A body of the REST API has at most 32 levels, and is in `params.arguments` here.
    static let depthLimit = JSONDocument.defaultDepthLimit + 2

    let value: JSONValue?
    let document: JSONDocument

    init(_ value: JSONValue?, of document: JSONDocument) {
        self.value = value
        self.document = document
    }

    /// - Throws: `RPCError` if they are something else than an object.
    var object: JSONObject {
        get throws(RPCError) {
            guard let value else { return JSONObject() }
            guard let object = value.object else {
                throw RPCError(.invalidParameters, "The member params must be an object.")
            }
            return object
        }
    }

    /// - Throws: `RPCError` if there is none with this name, or it is no string.
    func string(_ name: String) throws(RPCError) -> String {
        guard let text = try object[name]?.string else {
            throw RPCError(.invalidParameters, "The member params.\(name) must be a string.")
        }
        return text
    }
}

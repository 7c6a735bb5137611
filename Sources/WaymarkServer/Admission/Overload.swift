import WaymarkHTTP

/// Why a client is told 503 instead of being served.
enum Overload {
    /// All connections are taken.
    case connections
    /// The client's address has as many connections as one may have.
    case address
    /// Too many requests are being answered, or their bodies take too much memory.
    case requests
    /// The process or the system has no descriptor left.
    case descriptors

    private var detail: StaticString {
        switch self {
        case .connections: "The server has as many connections as it can serve."
        case .address: "There are too many connections from this address."
        case .requests: "The server has as many requests in hand as it can answer in time."
        case .descriptors: "The server can open no further connection."
        }
    }

    /// Seconds: what is short of requests is over in a moment, what is short of connections after some idle time.
    private var retryAfter: Int {
        switch self {
        case .requests: 1
        case .connections, .address, .descriptors: 5
        }
    }

    /// What the client is told.
    func response(_ handler: any RequestHandler) -> Response {
        var response = handler.refusal(.serviceUnavailable, detail: detail)
        response.fields.append(.retryAfter, retryAfter)
        return response
    }
}

import WaymarkAPI
import WaymarkHTTP
import WaymarkJSON
import WaymarkLinks
import WaymarkServer
import WaymarkStores

/// An error of HOKO's API: `{"error", "status"}`.
struct HokoError: Error, Sendable, Equatable {
    enum Status: Int, Sendable, CaseIterable {
        case replacedRoute = 1
        case missingParameters, unknownToken, unsupportedMethod, malformedJSON, notSaved, unknownRecord, badRoute
        case badSmartlink, tooManyRedeems, wrongToken

        /// As HOKO's service worded it; some callers compare it.
        var text: String {
            switch self {
            case .replacedRoute: "Replaced previously registered route"
            case .missingParameters: "Missing parameters"
            case .unknownToken: "Unknown platform token"
            case .unsupportedMethod: "Unsupported method"
            case .malformedJSON: "There was a problem in the JSON you submitted"
            case .notSaved: "Could not save object"
            case .unknownRecord: "Could not find record"
            case .badRoute: "Could not save route"
            case .badSmartlink: "Could not create a smart link"
            case .tooManyRedeems: "Too many redeems"
            case .wrongToken: "Wrong platform token"
            }
        }

        var http: UInt16 {
            switch self {
            case .replacedRoute: 200
            case .missingParameters, .unsupportedMethod, .malformedJSON: 400
            case .unknownToken, .wrongToken: 401
            case .unknownRecord: 404
            case .tooManyRedeems: 409
            case .notSaved, .badRoute, .badSmartlink: 422
            }
        }
    }

    let status: Status
    /// What is wrong with this request.
    let detail: String?
    /// Replaces the status's own, for errors that HOKO's API has no number for.
    private var http: UInt16?
    private var retryAfter: Int?

    init(_ status: Status, _ detail: String? = nil) {
        self.status = status
        self.detail = detail
    }

    private init(_ http: UInt16, retryAfter: Int?, _ detail: String) {
        self.init(.notSaved, detail)
        self.http = http
        self.retryAfter = retryAfter
    }

    static func rateLimited(_ seconds: Int) -> HokoError {
        HokoError(429, retryAfter: seconds, "too many requests; try again in \(seconds) s")
    }

    static let storeUnavailable = HokoError(503, retryAfter: 1, "the store is unavailable; try again")
    static let storeFull = HokoError(507, retryAfter: nil, "the disk of the database is full; try again later")

    init(_ error: StoreError) {
        switch error {
        // SDKs repeat a 503, and a rolling upgrade ends.
        case .unavailable, .upgradePending: self = .storeUnavailable
        case .full: self = .storeFull
        case .corrupt: self = .internalError
        }
    }

    static let internalError = HokoError(500, retryAfter: nil, "internal error")

    var response: Response {
        var fields = HeaderFields()
        if status.http == 401, http == nil { fields.append(.wwwAuthenticate, "Token" as StaticString) }
        if let retryAfter { fields.append(.retryAfter, retryAfter) }
        let text = detail.map { "\(status.text): \($0)" } ?? status.text
        return .json(
            WaymarkHTTP.Status(http ?? status.http),
            JSONWriter.text { writer in
                writer.beginObject()
                writer.member(status == .replacedRoute ? "warning" : "error", text)
                writer.member("status", status.rawValue)
                writer.endObject()
            }, fields: fields)
    }
}

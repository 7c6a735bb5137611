import WaymarkJSON

/// The body of `POST /api/v1/explain:difference`: one visit at two moments.
package struct ExplainDifferenceRequest: Sendable {
    package enum Moment: Sendable {
        /// RFC 3339, not validated.
        case time(String)
        /// The time at which the link got this version.
        case version(Int)
    }

    package var visit: ExplainRequest
    package var from: Moment
    /// Nil: now.
    package var to: Moment?

    /// - Throws: `BodyError` with all invalid members.
    package init(json: [UInt8]) throws(BodyError) {
        let document = try ObjectReader.document(json, shape: ExplainRequest.differenceShape)
        self = try ObjectReader.body(document) { reader in
            let visit = ExplainRequest.visit(&reader)
            let from = Self.moment("from", &reader)
            if from == nil, reader.value("from") == nil { reader.reject("from", "is missing") }
            return ExplainDifferenceRequest(
                visit: visit, from: from ?? .version(1), to: Self.moment("to", &reader))
        }
    }

    private init(visit: ExplainRequest, from: Moment, to: Moment?) {
        self.visit = visit
        self.from = from
        self.to = to
    }

    private static func moment(_ name: String, _ reader: inout ObjectReader) -> Moment? {
        guard let value = reader.value(name) else { return nil }
        if let text = value.string { return .time(text) }
        if let version = value.integer, version > 0 { return .version(version) }
        reader.reject(name, value, mustBe: "an RFC 3339 time or a version of the link")
        return nil
    }
}

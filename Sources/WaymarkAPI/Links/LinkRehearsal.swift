package import WaymarkJSON

/// The body of `POST /api/v1/links/{domain}/{slug}:rehearse`.
package struct LinkRehearsalRequest: Sendable {
    package static let days = 1...30

    /// A merge patch of the link.
    package var patch: JSONDocument
    /// Whole days (UTC) before today.
    package var days: Int

    /// - Throws: `BodyError` with all invalid members, except those of the patch.
    package init(json: [UInt8]) throws(BodyError) {
        let document = try ObjectReader.document(json, shape: .names(["patch", "days"]))
        let given = document.root["patch"]
        days = try ObjectReader.body(document) { reader in
            if let value = reader.value("patch") {
                if value.object == nil { reader.reject("patch", value, mustBe: "an object") }
            } else {
                reader.reject("patch", "is missing")
            }
            return Self.days(&reader)
        }
        do throws(JSONError) {
            patch = try JSONDocument(element: given ?? .null, of: document, shape: LinkRequest.shape)
        } catch {
            throw BodyError(error)
        }
    }

    static func days(_ reader: inout ObjectReader) -> Int {
        let days = reader.integer("days") ?? Self.days.lowerBound
        if !Self.days.contains(days) {
            reader.reject("days", "must be \(Self.days.lowerBound) to \(Self.days.upperBound)")
        }
        return days
    }
}

/// The response: what a change would have done to recorded clicks.
package struct LinkRehearsalResponse: Sendable {
    package struct Ending: Sendable {
        package var outcome: String
        package var rule: String?
        package var url: String?

        package init(outcome: String, rule: String?, url: String?) {
            self.outcome = outcome
            self.rule = rule
            self.url = url
        }

        func write(_ name: StaticString, to writer: inout JSONWriter) {
            writer.name(name)
            writer.beginObject()
            writer.member("outcome", outcome)
            writer.member("rule", rule)
            writer.member("url", url)
            writer.endObject()
        }
    }

    /// Of people.
    package var clicks: Int
    package var changed: Int
    package var byOutcome: [(from: Ending, to: Ending, clicks: Int)]
    package var undecidable: Int
    /// Sentences for people.
    package var why: [String]

    package init(
        clicks: Int, changed: Int, byOutcome: [(from: Ending, to: Ending, clicks: Int)], undecidable: Int,
        why: [String]
    ) {
        self.clicks = clicks
        self.changed = changed
        self.byOutcome = byOutcome
        self.undecidable = undecidable
        self.why = why
    }

    package var json: [UInt8] {
        JSONWriter.text { writer in
            writer.beginObject()
            writer.member("clicks", clicks)
            writer.member("changed", changed)
            writer.array("byOutcome", byOutcome) { group, writer in
                writer.beginObject()
                group.from.write("from", to: &writer)
                group.to.write("to", to: &writer)
                writer.member("clicks", group.clicks)
                writer.endObject()
            }
            writer.member("undecidable", undecidable)
            writer.strings("why", why)
            writer.endObject()
        }
    }
}

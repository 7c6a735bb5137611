package import WaymarkJSON

/// The response of `POST /api/v1/changes:plan` and `…:rehearse`.
package struct ChangePlanResponse: Sendable {
    package struct Change: Sendable {
        package struct Field: Sendable {
            package var name: String
            /// Nil where they are not shown.
            package var values: (from: JSONValue, to: JSONValue)?

            package init(name: String, values: (from: JSONValue, to: JSONValue)?) {
                self.name = name
                self.values = values
            }
        }

        /// As `domain/slug`.
        package var link: String
        package var version: Int
        package var fields: [Field]

        package init(link: String, version: Int, fields: [Field]) {
            self.link = link
            self.version = version
            self.fields = fields
        }
    }

    package struct Refusal: Sendable {
        package var link: String
        package var problem: Problem

        package init(link: String, problem: Problem) {
            self.link = link
            self.problem = problem
        }
    }

    package var hash: String
    package var expiresAt: String
    package var matched: Int
    package var changed: Int
    package var refused: Int
    /// The first ones.
    package var changes: [Change]
    package var refusals: [Refusal]
    package var needsConfirmation: Bool
    package var rehearsal: ChangeRehearsal?

    package init(
        hash: String, expiresAt: String, matched: Int, changed: Int, refused: Int, changes: [Change],
        refusals: [Refusal], needsConfirmation: Bool, rehearsal: ChangeRehearsal?
    ) {
        self.hash = hash
        self.expiresAt = expiresAt
        self.matched = matched
        self.changed = changed
        self.refused = refused
        self.changes = changes
        self.refusals = refusals
        self.needsConfirmation = needsConfirmation
        self.rehearsal = rehearsal
    }

    package var json: [UInt8] {
        JSONWriter.text { writer in
            writer.beginObject()
            writer.member("hash", hash)
            writer.member("expiresAt", expiresAt)
            writer.member("matched", matched)
            writer.member("changed", changed)
            writer.member("unchanged", matched - changed - refused)
            writer.member("refused", refused)
            writer.array("changes", changes) { change, writer in
                writer.beginObject()
                writer.member("link", change.link)
                writer.member("version", change.version)
                writer.array("fields", change.fields) { field, writer in
                    writer.beginObject()
                    writer.member("field", field.name)
                    if let values = field.values {
                        writer.member("from", values.from)
                        writer.member("to", values.to)
                    }
                    writer.endObject()
                }
                writer.endObject()
            }
            writer.array("refusals", refusals) { refusal, writer in
                writer.beginObject()
                writer.member("link", refusal.link)
                writer.name("problem")
                refusal.problem.write(to: &writer)
                writer.endObject()
            }
            writer.member("needsConfirmation", needsConfirmation)
            if let rehearsal { writer.member("rehearsal", raw: rehearsal.json) }
            writer.endObject()
        }
    }
}

/// What a change of many links would have done to recorded clicks.
package struct ChangeRehearsal: Sendable {
    package struct Share: Sendable {
        package var link: String
        package var clicks: Int
        package var changed: Int
        package var undecidable: Int

        package init(link: String, clicks: Int, changed: Int, undecidable: Int) {
            self.link = link
            self.clicks = clicks
            self.changed = changed
            self.undecidable = undecidable
        }
    }

    /// Groups of endings.
    private static let groupLimit = 100

    package var days: Int
    /// Of those with clicks.
    package var links: [Share] = []
    package var total = LinkRehearsalResponse(clicks: 0, changed: 0, byOutcome: [], undecidable: 0, why: [])

    package init(days: Int) { self.days = days }

    /// Of the clicks that can be decided, those that would end as they did, as a percentage without rounding up; nil: none can.
    private var equalPercent: Int? {
        let decided = total.clicks - total.undecidable
        return decided == 0 ? nil : (decided - total.changed) * 100 / decided
    }

    package var json: [UInt8] {
        JSONWriter.text { writer in
            writer.beginObject()
            writer.member("days", days)
            writer.member("clicks", total.clicks)
            writer.member("equal", total.clicks - total.undecidable - total.changed)
            writer.member("equalPercent", equalPercent)
            writer.member("changed", total.changed)
            writer.member("undecidable", total.undecidable)
            writer.strings("why", total.why)
            writer.array("byOutcome", Array(total.byOutcome.prefix(Self.groupLimit))) { group, writer in
                writer.beginObject()
                group.from.write("from", to: &writer)
                group.to.write("to", to: &writer)
                writer.member("clicks", group.clicks)
                writer.endObject()
            }
            writer.array("links", links) { share, writer in
                writer.beginObject()
                writer.member("link", share.link)
                writer.member("clicks", share.clicks)
                writer.member("changed", share.changed)
                writer.member("undecidable", share.undecidable)
                writer.endObject()
            }
            writer.endObject()
        }
    }
}

/// A change that somebody has planned, as a person confirms it.
package struct PlannedChangeResponse: Sendable {
    package var hash: String
    package var links: Int
    package var apps: [String]
    /// All of it, as JSON for people.
    package var change: String
    package var rehearsal: Rehearsal?
    package var plannedBy: String
    package var plannedAt: String
    package var expiresAt: String
    package var confirmedBy: String?

    package struct Rehearsal: Sendable {
        package var days: Int
        package var clicks: Int
        package var changed: Int
        package var undecidable: Int

        package init(days: Int, clicks: Int, changed: Int, undecidable: Int) {
            self.days = days
            self.clicks = clicks
            self.changed = changed
            self.undecidable = undecidable
        }
    }

    package init(
        hash: String, links: Int, apps: [String], change: String, rehearsal: Rehearsal?, plannedBy: String,
        plannedAt: String, expiresAt: String, confirmedBy: String?
    ) {
        self.hash = hash
        self.links = links
        self.apps = apps
        self.change = change
        self.rehearsal = rehearsal
        self.plannedBy = plannedBy
        self.plannedAt = plannedAt
        self.expiresAt = expiresAt
        self.confirmedBy = confirmedBy
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("hash", hash)
        writer.member("links", links)
        writer.strings("apps", apps)
        writer.member("change", change)
        writer.name("rehearsal")
        if let rehearsal {
            writer.beginObject()
            writer.member("days", rehearsal.days)
            writer.member("clicks", rehearsal.clicks)
            writer.member("changed", rehearsal.changed)
            writer.member("undecidable", rehearsal.undecidable)
            writer.endObject()
        } else {
            writer.null()
        }
        writer.member("plannedBy", plannedBy)
        writer.member("plannedAt", plannedAt)
        writer.member("expiresAt", expiresAt)
        writer.member("confirmedBy", confirmedBy)
        writer.endObject()
    }
}

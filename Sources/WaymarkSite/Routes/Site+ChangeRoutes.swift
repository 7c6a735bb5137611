import WaymarkHTTP
import WaymarkServer
import WaymarkStores

extension Site {
    /// Changes of many links that are planned before they are made, so that assistants make none that nobody has looked at.
    static let changeRoutes: [SiteRoute] = [
        .api(
            .post, "/api/v1/changes:plan", .links, body: .batch, limit: .create, ChangePlanHandler.answer,
            APIOperation(
                "planChange", .links, "Say what a change of many links would do",
                """
                Changes nothing. `hash` covers the change and the versions of the links and of their applications. \
                `PATCH /api/v1/links:batch` with the same change and this hash as `plan` makes it, once, within an hour, \
                and refuses it (412) if a link is not as planned any more.
                """,
                body: "ChangePlanBody",
                [.json(200, "ChangePlan", "The links, and the fields of the first 100.")])),
        .api(
            .post, "/api/v1/changes:rehearse", .links, body: .batch, limit: .statistics, ChangeRehearsalHandler.answer,
            APIOperation(
                "rehearseChange", .links, "Say what a change of many links would have done to their clicks",
                """
                Plans the change, and decides the recorded clicks of people on whole days (UTC) before today as if it had \
                been made. Changes nothing. Up to 100 links. `hash` covers the result, too, and is used as that of a plan.
                """,
                body: "ChangeRehearsalBody",
                [.json(200, "ChangePlan", "The plan, with `rehearsal`.")])),
        .api(
            .get, "/api/v1/changes", .links, limit: .list, PlannedChangeListHandler.answer,
            APIOperation(
                "listPlannedChanges", .links, "List the planned changes of links",
                "Those that are neither made nor older than an hour, in applications that the caller may change.",
                [.json(200, "PlannedChangeList", "The newest first.")])),
        .api(
            .post, "/api/v1/changes/{hash}:confirm", .links, body: .none, ChangeConfirmationHandler.answer,
            APIOperation(
                "confirmChange", .links, "Let an assistant make a planned change",
                "For people in a session of the dashboard alone: 403 for keys and assistants.",
                [.json(200, "PlannedChange", "The change, confirmed."), 404])),
    ]
}

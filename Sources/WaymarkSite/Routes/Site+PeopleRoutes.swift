import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkStores

extension Site {
    /// People and their invitations, and what they did.
    static let peopleRoutes: [SiteRoute] = [
        .api(
            .get, "/api/v1/people", .admin, adminOnly: true, PeopleListHandler.answer,
            APIOperation(
                "listPeople", .people, "List people",
                """
                An administrator of some applications gets the people who have a membership of one of these, and of \
                their memberships only those.
                """,
                [.json(200, "PeopleList", "The oldest first.")])),
        .api(
            .post, "/api/v1/people", .admin, body: .json, adminOnly: true, limit: .create, PersonCreationHandler.answer,
            APIOperation(
                "createPerson", .people, "Add a person",
                """
                Somebody who signs in with one of the identities. Somebody without any needs an invitation: \
                `POST /api/v1/people:invite` makes both.
                """,
                body: "PersonBody", [.json(201, "Person", "The person.", .location)])),
        .api(
            .get, "/api/v1/people/{id}", .admin, adminOnly: true, PersonReadingHandler.answer,
            APIOperation("getPerson", .people, "Read a person", [.json(200, "Person", "The person."), 404])),
        .api(
            .patch, "/api/v1/people/{id}", .admin, body: .mergePatch, adminOnly: true, limit: .create,
            PersonPatchHandler.answer,
            APIOperation(
                "patchPerson", .people, "Change a person",
                """
                A merge patch (RFC 7396). `memberships` replaces those that the caller may see. Sessions and keys of \
                the person can do what is left, from the response on; `disabled` ends them for good, and invitations \
                too. The last administrator of all applications can't be disabled or lose the role while no key could \
                administer them (409 `administrator-needed`).
                """,
                body: "PersonPatch", [.json(200, "Person", "The person as it is now."), 404, 409])),
        .api(
            .delete, "/api/v1/people/{id}", .admin, adminOnly: true, PersonDeletionHandler.answer,
            APIOperation(
                "deletePerson", .people, "Delete a person",
                "The person's sessions, invitations and keys are rejected from the response on.",
                [.empty(204, "The person is gone."), 404, 409])),
        .api(
            .post, "/api/v1/people:invite", .admin, body: .json, adminOnly: true, limit: .create,
            InvitationHandler.answer,
            APIOperation(
                "invitePerson", .people, "Invite a person",
                """
                Makes a person and a link that works once, within three days. The person adds a passkey or an account of \
                a provider on its page, and is signed in; opening the page uses nothing up. With `person`, makes a link \
                for an existing person, which replaces an earlier one.
                """,
                body: "InvitationBody", [.json(201, "Invitation", "With the link, shown this once."), 404])),
        .api(
            .get, "/api/v1/people/{id}/programs", .admin, adminOnly: true, PersonProgramListHandler.answer,
            APIOperation(
                "listPersonPrograms", .people, "List the programs that a person lets act",
                "For administrators of all that the person works with.",
                [.json(200, "ProgramList", "The newest first."), 404])),
        .api(
            .delete, "/api/v1/people/{id}/programs/{program}", .admin, adminOnly: true, PersonProgramEndHandler.answer,
            APIOperation(
                "endPersonProgram", .people, "End what a person lets a program do",
                "Its tokens are rejected from the response on, by other servers within two seconds.",
                [.empty(204, "It may not act for the person any more."), 404])),
        .api(
            .get, "/api/v1/programs", .read, adminOnly: true, ProgramListHandler.answer,
            APIOperation(
                "listPrograms", .people, "List the programs that you let act",
                """
                Programs that sign in to `/_/mcp` by OAuth. In a person's session those of the person, else those that \
                were allowed in sessions of the key.
                """,
                [.json(200, "ProgramList", "The newest first.")])),
        .api(
            .delete, "/api/v1/programs/{id}", .read, adminOnly: true, ProgramEndHandler.answer,
            APIOperation(
                "endProgram", .people, "End what you let a program do",
                "Its tokens are rejected from the response on, by other servers within two seconds.",
                [.empty(204, "It may not act any more."), 404])),
        .api(
            .get, "/api/v1/audit", .admin, query: AuditHandler.parameters, adminOnly: true, limit: .list,
            AuditHandler.answer,
            APIOperation(
                "listAudit", .people, "Read the audit",
                """
                Who changed what, and who signed in or was refused, the newest first: each change writes its entry in \
                its own transaction. Entries have no secrets and no metadata. An administrator of some applications \
                gets the entries of these. A page may have fewer entries than `limit`, and even none, before the last \
                one. With `format=jsonl` all entries are sent, each on a line of its own.
                """,
                [.json(200, "AuditList", "The newest first.", or: .text("application/jsonl"))])),
    ]
}

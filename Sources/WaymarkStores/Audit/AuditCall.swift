internal import Synchronization
package import WaymarkLinks

/// Who calls, for the audit. Bound to the task of the call, so that each store finds it: a change that no call makes, such as the
/// deletion of what is old, has no entry.
package struct AuditCall: Sendable {
    @TaskLocal package static var current: AuditCall?

    /// How changes of links are recorded.
    package enum Links: Sendable {
        /// An entry each.
        case each
        /// Not at all: something else has an entry, such as an import.
        case none
        /// One entry for all, with the first transaction that changes any.
        case once(AuditOnce)
    }

    package var actor: AuditActor
    /// Nil: the call came by no connection.
    package var address: AuditAddress?
    package var at: Timestamp
    package var links = Links.each

    package init(_ actor: AuditActor, from address: AuditAddress?, at: Timestamp) {
        self.actor = actor
        self.address = address
        self.at = at
    }

    /// The same call by the person or key that a sign-in identified; the call itself if its caller was known.
    package func by(person: String? = nil, key: String? = nil, name: String) -> AuditCall {
        guard actor.isUnknown else { return self }
        var call = self
        call.actor.person = person.map { AuditActor.Party(id: $0, name: name) }
        call.actor.key = key.map { AuditActor.Party(id: $0, name: name) }
        return call
    }

    /// Runs the body as a call; nil: as what no call makes.
    package static func run<Value: Sendable>(
        as call: AuditCall?, _ body: () async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let result: Result<Value, StoreError> = await $current.withValue(call) {
            do throws(StoreError) {
                return .success(try await body())
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// The same call, whose changes of links have no entries.
    package var withoutLinks: AuditCall {
        var call = self
        call.links = .none
        return call
    }

    /// Runs the body as part of the present call, if there is one, with one entry for all links that it changes.
    ///
    /// - Parameters:
    ///   - application: of all the links; nil if there are several.
    ///   - after: what the entry says of the links.
    package static func recordingOnce<Value>(
        of application: ApplicationID?, after: AuditValues, _ body: () async throws -> Value
    ) async rethrows -> Value {
        guard var call = current else { return try await body() }
        call.links = .once(AuditOnce(application: application, after: after.json))
        return try await $current.withValue(call) { try await body() }
    }

    /// Before each attempt at a transaction.
    package func begin() { if case .once(let once) = links { once.begin() } }

    /// After the commit.
    package func commit() { if case .once(let once) = links { once.commit() } }
}

/// Who acts. Names are those of that time.
package struct AuditActor: Sendable, Equatable {
    package struct Party: Sendable, Equatable {
        package var id: String
        package var name: String

        package init(id: String, name: String) {
            self.id = id
            self.name = name
        }
    }

    /// The way by which the caller is known.
    package enum Way: String, Sendable {
        case key, session
        /// A program that a person let act by OAuth.
        case program
        /// A sign-in makes the caller known.
        case signIn
        /// A command on the server's machine, whose user may open the database.
        case commandLine
        /// A Google API key of an application.
        case googleKey
    }

    package var way: Way?
    package var person: Party?
    package var key: Party?

    package init(_ way: Way?, person: Party? = nil, key: Party? = nil) {
        self.way = way
        self.person = person
        self.key = key
    }

    /// For the history of links; nil if no one is known.
    package var author: ChangeAuthor? {
        switch way {
        case .commandLine: .environment
        case .googleKey: .googleKey
        default: (key ?? person).map { ChangeAuthor(id: $0.id, name: $0.name) }
        }
    }

    /// Whether a sign-in has yet to say who it is.
    package var isUnknown: Bool { way == .signIn && person == nil && key == nil }
}

/// From where, as far as the audit says: addresses themselves are not stored.
package enum AuditAddress: String, Sendable {
    case loopback, `private`, `public`
}

/// One entry for several transactions of a call: the first that is committed has it.
package final class AuditOnce: Sendable {
    package let application: ApplicationID?
    package let after: [UInt8]?
    private let state = Mutex((isAdded: false, isCommitted: false))

    init(application: ApplicationID?, after: [UInt8]?) {
        self.application = application
        self.after = after
    }

    /// Whether this transaction is to have the entry.
    package func take() -> Bool {
        state.withLock { state in
            defer { state.isAdded = true }
            return !state.isAdded
        }
    }

    fileprivate func begin() { state.withLock { $0.isAdded = $0.isCommitted } }
    fileprivate func commit() { state.withLock { $0.isCommitted = $0.isAdded } }
}

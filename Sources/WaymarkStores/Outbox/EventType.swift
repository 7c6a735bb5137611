package import WaymarkLinks

/// What an event reports. The raw values are stored and never change.
package enum EventType: UInt8, Sendable, CaseIterable, Hashable {
    case linkCreated = 0
    case linkUpdated = 1
    case linkDeleted = 2
    case linkExpired = 3
    case linkExhausted = 4
    case linkRedeemed = 5
    case linkClicked = 6
    case appOpened = 7
    case appInstalled = 8
    case deferredClaimed = 9
    case conversionRecorded = 10
    case importFinished = 11
    case webhookDisabled = 12
    case keyCreated = 13
    case keyRevoked = 14
    /// Sent on request to one endpoint, whatever it has subscribed to.
    case webhookTest = 15
    case auditRecorded = 16
    case weeklyReport = 17
    case linkBroken = 18
    case linkMended = 19

    package var name: String {
        switch self {
        case .linkCreated: "link.created"
        case .linkUpdated: "link.updated"
        case .linkDeleted: "link.deleted"
        case .linkExpired: "link.expired"
        case .linkExhausted: "link.exhausted"
        case .linkRedeemed: "link.redeemed"
        case .linkClicked: "link.clicked"
        case .appOpened: "app.opened"
        case .appInstalled: "app.installed"
        case .deferredClaimed: "deferred.claimed"
        case .conversionRecorded: "conversion.recorded"
        case .importFinished: "import.finished"
        case .webhookDisabled: "webhook.disabled"
        case .keyCreated: "key.created"
        case .keyRevoked: "key.revoked"
        case .webhookTest: "webhook.test"
        case .auditRecorded: "audit.recorded"
        case .weeklyReport: "report.weekly"
        case .linkBroken: "link.broken"
        case .linkMended: "link.mended"
        }
    }

    /// The types that endpoints can subscribe to.
    package static let subscribable = allCases.filter { $0 != .webhookTest }
}

/// A set of event types.
package struct EventTypes: OptionSet, Sendable, Hashable {
    package let rawValue: Int64
    package init(rawValue: Int64) { self.rawValue = rawValue }

    package init(_ type: EventType) { rawValue = 1 << Int64(type.rawValue) }

    /// The types that a pattern names: one of them (`link.created`), a group (`link.*`), or all (`*`). Empty if it names
    /// none. All are without those of the audit, which names people: a subscriber must ask for it by name.
    package init(pattern: String) {
        let types = EventType.subscribable.filter { type in
            pattern == "*" && type != .auditRecorded || pattern == type.name
                || pattern.hasSuffix(".*") && type.name.hasPrefix(pattern.dropLast())
        }
        self = types.reduce(into: []) { $0.insert(EventTypes($1)) }
    }

    package func contains(_ type: EventType) -> Bool { contains(EventTypes(type)) }

    /// Those that were added later: an endpoint that was stored before gets them when a server starts.
    package static let later: EventTypes = EventType.allCases.filter { $0.rawValue > EventType.webhookTest.rawValue }
        .reduce(into: []) { $0.insert(EventTypes($1)) }
}

/// Which events have a subscriber: others are not stored.
package struct EventSubscriptions: Sendable, Equatable {
    private var ofAll: EventTypes = []
    private var ofApplications: [ApplicationID: EventTypes] = [:]

    package init() {}

    /// - Parameter application: Nil: events of all applications.
    package mutating func add(_ types: EventTypes, of application: ApplicationID?) {
        if let application {
            ofApplications[application, default: []].formUnion(types)
        } else {
            ofAll.formUnion(types)
        }
    }

    package var isEmpty: Bool { ofAll.isEmpty && ofApplications.isEmpty }

    /// - Parameter application: Nil for an event of no single application, which only endpoints for all receive.
    package func includes(_ type: EventType, of application: ApplicationID?) -> Bool {
        if ofAll.contains(type) { return true }
        guard !ofApplications.isEmpty, let application else { return false }
        return ofApplications[application]?.contains(type) ?? false
    }

    /// Whether any endpoint subscribes to the type.
    package func includes(_ type: EventType) -> Bool {
        ofAll.contains(type) || ofApplications.values.contains { $0.contains(type) }
    }
}

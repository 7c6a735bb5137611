/// How a visit ended or would end, in the terms of explanations.
package struct VisitEnding: Hashable, Sendable {
    package var outcome: String
    package var rule: String?
    /// Of the destination; nil if there is none.
    package var url: String?

    package init(outcome: String, rule: String?, url: String?) {
        self.outcome = outcome
        self.rule = rule
        self.url = url
    }
}

/// A recorded visit that is decided again, for a rehearsal.
package struct RehearsedVisit: Sendable {
    /// A person.
    package var visitor: Visitor
    package var time: Timestamp
    /// As recorded.
    package var destination: String?
    /// As recorded; nil if it was left out.
    package var rule: String??

    package init(visitor: Visitor, time: Timestamp, destination: String?, rule: String??) {
        self.visitor = visitor
        self.time = time
        self.destination = destination
        self.rule = rule
    }

    package enum Result: Sendable, Equatable {
        case decided(from: VisitEnding, to: VisitEnding)
        /// It depends on these facts.
        case unclear([UnrecordedFact])
        /// Today's link leads no such visitor where this one was led.
        case otherwise
    }

    /// The number of decisions that `result` makes at most.
    package static func cost(in worlds: RuleWorlds) -> Int { worlds.worlds.count * 4 }

    /// - Parameter outcome: a resolution in the terms of explanations.
    package func result(in worlds: RuleWorlds, outcome: (Resolution) -> String) -> Result {
        var found: [(assumed: [UnrecordedFact: Int], from: VisitEnding, to: VisitEnding)] = []
        for world in worlds.worlds where visitor.platform == .android || world.assumed[.store] == 0 {
            var visitor = visitor
            switch visitor.platform {
            case .android: visitor.store = world.store
            case .windows: visitor.store = visitor.device == .phone ? nil : .microsoft
            default: visitor.store = nil
            }
            for (number, mayBeIPad) in possibleIPads.enumerated() {
                visitor.mayBeIPad = mayBeIPad
                let before = world.before.decision(on: visitor, world.application, at: time, outcome)
                guard before.clickDestination == destination, rule.map({ $0 == before.ending.rule }) ?? true
                else { continue }
                var assumed = world.assumed
                assumed[.mac] = number
                let after = world.after.decision(on: visitor, world.application, at: time, outcome)
                found.append((assumed, before.ending, after.ending))
            }
        }
        guard let first = found.first else { return .otherwise }
        if found.allSatisfy({ $0.from == first.from && $0.to == first.to }) {
            return .decided(from: first.from, to: first.to)
        }
        let facts = UnrecordedFact.allCases.filter { fact in
            // Whether it alone makes a difference.
            var endings: [[UnrecordedFact: Int]: [VisitEnding]] = [:]
            return found.contains { assumed, from, to in
                var others = assumed
                others[fact] = nil
                let known = endings[others] ?? [from, to]
                endings[others] = known
                return known != [from, to]
            }
        }
        guard facts.isEmpty else { return .unclear(facts) }
        return .unclear(
            UnrecordedFact.allCases.filter { fact in Set(found.map { $0.assumed[fact] ?? 0 }).count > 1 })
    }

    /// Every iPad's Safari calls itself a Mac, and so may other browsers that use the system's engine.
    private var possibleIPads: [Bool] {
        guard visitor.platform == .macos else { return [false] }
        switch visitor.browser {
        case "safari": return [true]
        case nil, "duckduckgo": return [false, true]
        default: return [false]
        }
    }
}

extension Link {
    /// The decision on a recorded visit, which `maxClicks` admitted and which knew the password.
    fileprivate func decision(
        on visitor: Visitor, _ application: Application, at time: Timestamp, _ outcome: (Resolution) -> String
    ) -> (ending: VisitEnding, clickDestination: String?) {
        var visitor = visitor
        visitor.password = content.password
        let decision = explain(application: application, visitor: visitor, now: time, ignoringMaxClicks: true)
        let taken: Candidate?
        switch decision.resolution {
        // The Mac's precedes the iPad's.
        case .distinguishMac: taken = decision.candidates.first { $0.taken }
        case .nowhere, .disabled, .expired, .exhausted, .scheduled: taken = nil
        default: taken = decision.candidates.last { $0.taken }
        }
        return (
            VisitEnding(
                outcome: outcome(decision.resolution), rule: decision.rule?.text(self, application), url: taken?.url),
            decision.resolution.clickDestination?.rawValue
        )
    }
}

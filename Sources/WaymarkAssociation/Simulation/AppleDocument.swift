internal import WaymarkJSON

/// An `apple-app-site-association` file as read by devices: ignored parts are omitted, and unknown behaviour is
/// stored as an ambiguity.
struct AppleDocument {
    struct Entry {
        /// Its index in `details`.
        let index: Int
        let appIDs: [String]
        /// With the index of each in `components` or `paths`.
        var rules: [(index: Int, rule: AppleRule)] = []
        /// The entry has neither components nor paths.
        var hasNoRules = false
        var doubts: [Ambiguity] = []
    }

    private(set) var entries: [Entry] = []
    private(set) var variables = SubstitutionVariables.none
    /// Ambiguities of the whole file.
    private(set) var doubts: [Ambiguity] = []
    private let budget: WorkBudget

    init(_ root: JSONValue, budget: WorkBudget) {
        self.budget = budget
        guard let links = root["applinks"] else { return }
        guard let links = links.object else {
            doubts.append(.wrongType)
            return
        }
        readVariables(links["substitutionVariables"])
        let defaults = AppleRuleReader.Defaults(file: defaults(links["defaults"]))
        switch links["details"]?.kind {
        case .array(let elements):
            for (index, element) in elements.enumerated() where budget.spend(WorkBudget.Price.medium) {
                guard let object = element.object else {
                    doubts.append(.wrongType)
                    continue
                }
                entries.append(entry(object, index: index, apps: apps(object), defaults: defaults))
            }
        case .object(let byApp):
            doubts.append(.detailsByApp)
            for (index, member) in byApp.members.enumerated() where budget.spend(WorkBudget.Price.medium) {
                guard let object = member.value.object else { continue }
                entries.append(entry(object, index: index, apps: ([member.name], []), defaults: defaults))
            }
        case nil:
            break
        default:
            doubts.append(.wrongType)
        }
    }

    private mutating func defaults(_ value: JSONValue?) -> AppleRuleReader.Level? {
        if let value, value.object == nil { doubts.append(.wrongType) }
        return value?.object.map { AppleRuleReader.Level($0, budget) }
    }

    private mutating func readVariables(_ value: JSONValue?) {
        guard let value else { return }
        guard let object = value.object else {
            doubts.append(.wrongType)
            return
        }
        for member in object.members {
            guard let values = member.value.array else {
                doubts.append(.wrongType)
                continue
            }
            budget.spend(values.count * 4 + WorkBudget.Price.small)
            let texts = values.compactMap(\.string)
            if texts.count < values.count { doubts.append(.wrongType) }
            variables.define(member.name, texts)
        }
    }

    /// `appIDs` overrides `appID`, even if it is empty.
    private func apps(_ entry: JSONObject) -> (appIDs: [String], doubts: [Ambiguity]) {
        if let list = entry["appIDs"] {
            guard let values = list.array else { return ([], [.wrongApps]) }
            let texts = values.compactMap(\.string)
            return (texts, texts.count < values.count ? [.wrongApps] : [])
        }
        guard let value = entry["appID"] else { return ([], []) }
        return value.string.map { ([$0], []) } ?? ([], [.wrongApps])
    }

    private mutating func entry(
        _ object: JSONObject, index: Int, apps: (appIDs: [String], doubts: [Ambiguity]),
        defaults: AppleRuleReader.Defaults
    ) -> Entry {
        var entry = Entry(index: index, appIDs: apps.appIDs)
        entry.doubts = apps.doubts
        var defaults = defaults
        defaults.entry = self.defaults(object["defaults"])
        let reader = AppleRuleReader(defaults: defaults, budget: budget)
        if let components = object["components"] {
            guard let elements = components.array else {
                entry.doubts.append(.wrongType)
                return entry
            }
            for (location, element) in elements.enumerated() where !budget.isExhausted {
                if let component = element.object {
                    entry.rules.append((location, reader.rule(component)))
                } else {
                    entry.doubts.append(.wrongRule)
                }
            }
        } else if let paths = object["paths"] {
            guard let elements = paths.array else {
                entry.doubts.append(.wrongType)
                return entry
            }
            for (location, element) in elements.enumerated() where !budget.isExhausted {
                if let path = element.string {
                    entry.rules.append((location, reader.rule(path: path)))
                } else {
                    entry.doubts.append(.wrongRule)
                }
            }
        } else {
            entry.hasNoRules = true
        }
        return entry
    }
}

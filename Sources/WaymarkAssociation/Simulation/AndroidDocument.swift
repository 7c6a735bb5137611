internal import WaymarkJSON

/// An `assetlinks.json` file as read by Android: the statements that let apps open a site's URLs.
struct AndroidDocument {
    static let linkRelation = "delegate_permission/common.handle_all_urls"
    static let dynamicRulesName = "dynamic_app_link_components"

    enum DynamicRules: Sendable {
        /// Without a list, the app's manifest decides.
        case none
        case rules([AndroidRule])
        /// Android drops all rules, with this reason, and the manifest decides.
        case dropped(String)
    }

    struct Statement: Sendable {
        /// Its index in the file.
        let index: Int
        let package: String
        let dynamicRules: DynamicRules

        var givesRules: Bool { if case .none = dynamicRules { false } else { true } }
    }

    private(set) var statements: [Statement] = []
    /// The apps with dynamic rules in at least one statement.
    private(set) var packagesWithRules: Set<String> = []

    init(_ root: JSONValue, budget: WorkBudget) {
        for (index, statement) in (root.array ?? []).enumerated() where budget.spend(WorkBudget.Price.medium) {
            let relations = (statement["relation"]?.array ?? []).compactMap(\.string)
            guard relations.contains(Self.linkRelation), let target = statement["target"],
                target["namespace"]?.string == "android_app", let package = target["package_name"]?.string
            else { continue }
            let rules = statement["relation_extensions"]?[Self.linkRelation]?[Self.dynamicRulesName]
            let read = Statement(index: index, package: package, dynamicRules: Self.dynamicRules(rules, budget))
            statements.append(read)
            if read.givesRules { packagesWithRules.insert(package) }
        }
    }

    static func dynamicRules(_ value: JSONValue?, _ budget: WorkBudget) -> DynamicRules {
        guard let value else { return .none }
        guard let elements = value.array else { return .dropped("the list is \(value.noun)") }
        guard !elements.isEmpty else { return .dropped("the list is empty") }
        var rules: [AndroidRule] = []
        for (location, element) in elements.enumerated() where !budget.isExhausted {
            switch rule(element, budget) {
            case .success(let rule): rules.append(rule)
            case .failure(let fault):
                let member = fault.member.map { " has a \(quoted($0)) that" } ?? ""
                return .dropped("rule \(location)\(member) \(fault.problem)")
            }
        }
        return .rules(rules)
    }

    /// Why a rule makes Android drop all of them.
    struct RuleFault: Error, Hashable {
        var member: String?
        var problem: String
    }

    static func rule(_ value: JSONValue, _ budget: WorkBudget) -> Result<AndroidRule, RuleFault> {
        budget.spend(WorkBudget.Price.rule)
        guard let object = value.object else { return .failure(RuleFault(problem: "is \(value.noun)")) }
        guard !object.isEmpty else { return .failure(RuleFault(problem: "is empty")) }
        var rule = AndroidRule()
        for member in object.members {
            let fault: (String) -> Result<AndroidRule, RuleFault> = {
                .failure(RuleFault(member: member.name, problem: $0))
            }
            switch member.name {
            case "/", "#":
                guard let pattern = member.value.string else { return fault("is \(member.value.noun)") }
                guard !pattern.isEmpty else { return fault("is empty") }
                if member.name == "/" { rule.path = pattern } else { rule.fragment = pattern }
            case "?":
                guard let items = member.value.object else { return fault("is \(member.value.noun), not an object") }
                guard !items.isEmpty else { return fault("is empty") }
                budget.spend(items.count * WorkBudget.Price.small)
                for item in items.members {
                    guard let pattern = item.value.string else { return fault("holds \(item.value.noun)") }
                    guard !pattern.isEmpty, !item.name.isEmpty else { return fault("holds an empty text") }
                    rule.items.append(.init(name: item.name, pattern: pattern))
                }
            case "exclude":
                guard let excludes = member.value.bool else { return fault("is \(member.value.noun)") }
                rule.excludes = excludes
            default:
                rule.hasUnknownMember = true
            }
        }
        return .success(rule)
    }
}

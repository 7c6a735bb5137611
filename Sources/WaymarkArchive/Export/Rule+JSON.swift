import WaymarkBytes
internal import WaymarkJSON
internal import WaymarkLinks
internal import WaymarkStores

// Reads and writes a rule in an export, as the API takes it. Every field is in both halves.

extension Rule {
    /// The rule as JSON or, in formats up to 6, in hexadecimal digits of its encoding in a store.
    init?(archived value: JSONValue) {
        if let text = value.string {
            self.init(hexadecimal: text)
        } else {
            guard let object = value.object, let draft = RuleDraft(object), let rule = Rule(stored: draft),
                // Values out of bounds would be stored, and not be found again.
                Rule(stored: rule.stored) == rule
            else { return nil }
            self = rule
        }
    }

    private init?(hexadecimal text: String) {
        guard let bytes = Hexadecimal.bytes(text) else { return nil }
        self.init(stored: bytes)
    }

    /// JSON, unless it would not be read as exactly this rule: an export loses nothing that a store has.
    fileprivate var archived: JSONValue {
        let value = RuleDraft(self).json
        return Rule(archived: value) == self ? value : JSONValue(Hexadecimal.text(stored))
    }
}

extension JSONWriter {
    mutating func rules(_ rules: [Rule]) {
        if !rules.isEmpty { member("rules", JSONValue(rules.map(\.archived))) }
    }
}

extension URLEntryDraft {
    init?(_ fields: inout Fields) {
        guard let link = fields.text("link") else { return nil }
        self.init(link: link, fallback: fields.text("fallback"))
    }

    fileprivate var json: JSONValue {
        guard let fallback else { return JSONValue(link) }
        var object = JSONObject()
        object["link"] = JSONValue(link)
        object["fallback"] = JSONValue(fallback)
        return JSONValue(object)
    }
}

extension RuleDraft {
    fileprivate init?(_ object: JSONObject) {
        self.init()
        var fields = Fields(object)
        guard let condition = fields.object("when"), let when = Condition(condition), let to = fields.value("to") else {
            return nil
        }
        self.when = when
        url = to.string
        if let members = to.object?.members {
            var urls: [String: URLEntryDraft] = [:]
            for member in members {
                if let link = member.value.string {
                    urls[member.name] = URLEntryDraft(link: link)
                } else {
                    var entry = Fields(member.value.object ?? JSONObject())
                    guard let draft = URLEntryDraft(&entry), entry.areRead else { return nil }
                    urls[member.name] = draft
                }
            }
            self.urls = urls
        }
        guard fields.areRead else { return nil }
    }

    fileprivate var json: JSONValue {
        var object = JSONObject()
        object["when"] = JSONValue(when.json)
        if let url {
            object["to"] = JSONValue(url)
        } else {
            var members = JSONObject()
            for (platform, entry) in (urls ?? [:]).sorted(by: { $0.key < $1.key }) { members[platform] = entry.json }
            object["to"] = JSONValue(members)
        }
        return JSONValue(object)
    }
}

extension RuleDraft.Condition {
    fileprivate init?(_ object: JSONObject) {
        self.init()
        var fields = Fields(object)
        if object["inApp"]?.bool != nil { isInApp = fields.flag("inApp") }
        for (name, values) in Self.lists where object[String(describing: name)]?.bool == nil {
            self[keyPath: values] = fields.oneOrMore(String(describing: name))
        }
        if let members = fields.object("query")?.members {
            var query: [String: [String]?] = [:]
            for member in members {
                // `true` stands for any value.
                let values = member.value.bool == true ? nil : member.value.oneOrMore
                guard values != nil || member.value.bool == true else { return nil }
                query.updateValue(values, forKey: member.name)
            }
            self.query = query
        }
        after = fields.text("after")
        before = fields.text("before")
        percentage = fields.number("percentage")
        guard fields.areRead else { return nil }
    }

    fileprivate var json: JSONObject {
        var object = JSONObject()
        for (name, values) in Self.lists {
            if let texts = self[keyPath: values] { object[String(describing: name)] = JSONValue(oneOrMore: texts) }
        }
        if let isInApp { object["inApp"] = JSONValue(isInApp) }
        if let query {
            var members = JSONObject()
            for (name, values) in query.sorted(by: { $0.key < $1.key }) {
                members[name] = values.map { JSONValue(oneOrMore: $0) } ?? JSONValue(true)
            }
            object["query"] = JSONValue(members)
        }
        object["after"] = after.map { JSONValue($0) }
        object["before"] = before.map { JSONValue($0) }
        object["percentage"] = percentage.map { JSONValue($0) }
        return object
    }
}

extension JSONValue {
    /// One text as a string, several as an array.
    fileprivate init(oneOrMore texts: [String]) {
        self = texts.count == 1 ? JSONValue(texts[0]) : JSONValue(texts.map { JSONValue($0) })
    }

    /// Nil if the value is neither a string nor an array of strings.
    var oneOrMore: [String]? {
        if let string { return [string] }
        let texts = array?.compactMap(\.string)
        return texts?.count == array?.count ? texts : nil
    }
}

package import WaymarkAPI
import WaymarkBytes

extension UTMTemplates {
    package func validate() -> ProblemList {
        var problems = ProblemList()
        if templates.count > Self.limit { problems.add("templates", "holds more than \(Self.limit)") }
        var names: Set<String> = []
        for (position, template) in templates.prefix(Self.limit).enumerated() {
            let field = "templates[\(position)]"
            let name = template.name
            if name.isEmpty || name.unicodeScalars.count > UTMTemplate.nameLimit || name.holdsControlCharacters {
                problems.add(
                    "\(field).name", "must be 1 to \(UTMTemplate.nameLimit) characters, without control characters")
            } else if !names.insert(UnicodeText.composed(name)).inserted {
                problems.add("\(field).name", "is the name of another template")
            }
            template.campaign.validate("\(field).campaign", &problems)
        }
        return problems
    }
}

extension CampaignRequest {
    func validate(_ field: String, _ problems: inout ProblemList) {
        let values = [("source", source), ("medium", medium), ("name", name), ("term", term), ("content", content)]
        for (name, value) in values { problems.text("\(field).\(name)", value, atMost: LinkLimits.campaign) }
    }
}

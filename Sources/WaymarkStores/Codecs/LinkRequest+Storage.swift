package import WaymarkAPI
package import WaymarkLinks

extension LinkRequest {
    /// `validate(for:notInto:from:)`, and a check that the content is small enough to be stored.
    package func validateForStorage(
        for application: Application?, notInto smartlinkHosts: SmartlinkHosts? = nil,
        from origin: LinkOrigin = LinkOrigin()
    ) -> Validated<ValidLink> {
        let validated = validate(for: application, notInto: smartlinkHosts, from: origin)
        guard case .valid(let link) = validated, let problem = link.content.sizeProblem else { return validated }
        return .invalid([FieldProblem(field: "", problem: problem)])
    }
}

extension LinkContent {
    /// An error message for a content that is too large to be stored; otherwise nil.
    ///
    /// This one limit bounds the cost of loading, returning and searching a link: the limits on its parts add up to a
    /// mebibyte.
    package var sizeProblem: String? {
        // Without its own URLs and rules, a link has only parts that are short together, and the values of its route.
        if self.rules.isEmpty, self.urls.isEmpty,
            self.routeParameters.reduce(0, { $0 + $1.key.utf8.count + $1.value.utf8.count }) < LinkLimits.content / 4
        {
            return nil
        }
        var content = self
        // They have a limit of their own, and a link that has them must stay changeable.
        if !content.aliases.isEmpty { content.aliases = [] }
        let size = LinkContentCodec.encode(content).count
        guard size > LinkLimits.content else { return nil }
        return "the link takes \(size) bytes without its metadata; at most \(LinkLimits.content) are stored"
    }
}

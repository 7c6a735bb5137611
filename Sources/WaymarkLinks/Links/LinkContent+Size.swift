extension LinkContent {
    /// What is wrong with the content's size; nil where it is small enough to be stored.
    ///
    /// The one bound on what a link costs wherever it is loaded, answered or searched: the bounds on its parts would add up
    /// to a mebibyte.
    package var sizeProblem: String? {
        // Without URLs and rules of its own a link is made of parts that are short together.
        if rules.isEmpty, urls.isEmpty, routeParameters.isEmpty { return nil }
        let size = LinkContentCodec.encode(self).count
        guard size > LinkLimits.content else { return nil }
        return "the link takes \(size) bytes without its metadata; at most \(LinkLimits.content) are stored"
    }
}

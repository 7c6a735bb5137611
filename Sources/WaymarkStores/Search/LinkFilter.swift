import WaymarkAPI
package import WaymarkLinks

/// Conditions on links, combined by *and*; nil means any.
package struct LinkFilter: Sendable, Equatable {
    package var application: ApplicationID?
    /// Any of these. No index has them together, so links of others are examined and left out.
    package var applications: Set<ApplicationID>?
    package var domain: HostName?
    package var tag: String?
    /// The link's folder, or one that it is below.
    package var folder: String?
    /// The name of the link's campaign, `utm_campaign`.
    package var campaign: String?
    /// Who keeps the link.
    package var managedBy: String?
    package var state: LinkState?
    /// What the verification found of active links; goes with orders by creation only.
    package var verified: VerificationState?
    /// The earliest creation time.
    package var createdFrom: Timestamp?
    /// The end of the creation time, exclusive.
    package var createdTo: Timestamp?
    /// Text found literally, including case, in slug, labels, route or destinations (the link's own URLs and fallback
    /// URLs).
    package var query: String?
    package var search: SearchWords?

    package init(
        application: ApplicationID? = nil, domain: HostName? = nil, tag: String? = nil, folder: String? = nil,
        campaign: String? = nil, managedBy: String? = nil, state: LinkState? = nil, verified: VerificationState? = nil,
        createdFrom: Timestamp? = nil,
        createdTo: Timestamp? = nil,
        query: String? = nil, search: SearchWords? = nil
    ) {
        self.application = application
        self.domain = domain
        self.tag = tag
        self.folder = folder
        self.campaign = campaign
        self.managedBy = managedBy
        self.state = state
        self.verified = verified
        self.createdFrom = createdFrom
        self.createdTo = createdTo
        self.query = query
        self.search = search
    }

    /// Whether every link fits.
    package var isEmpty: Bool { self == LinkFilter() }

    /// Whether an index has exactly the links of the filter.
    package var isCountedByIndex: Bool { conditions == indexedConditions }

    /// Under which name the index of tags has all links of the filter, if it has them under one.
    package var indexedTag: String? { folder.map { FolderIndex.tag($0, of: application) } ?? tag }

    /// How many of the conditions an index of links by creation covers.
    var indexedConditions: Int {
        // Those of its index may be of earlier versions of links, so that they are examined.
        if verified != nil { return 0 }
        if folder != nil { return application == nil ? 1 : 2 }
        return tag != nil || application != nil ? 1 : 0
    }

    /// How many of the conditions are set.
    package var conditions: Int {
        let isSet = [
            application != nil, applications != nil, domain != nil, tag != nil, folder != nil, campaign != nil,
            managedBy != nil, state != nil, verified != nil,
            createdFrom != nil,
            createdTo != nil, query != nil, search != nil,
        ]
        return isSet.count { $0 }
    }
}

/// Checks many links against one filter.
package struct LinkMatcher: Sendable {
    package let filter: LinkFilter
    private let now: Timestamp
    private let query: LiteralSearch?

    /// - Parameter now: the time at which states are determined.
    package init(_ filter: LinkFilter, at now: Timestamp) {
        self.filter = filter
        self.now = now
        query = filter.query.map { LiteralSearch($0) }
    }

    package func matches(_ link: Link) -> Bool {
        guard filter.application == nil || link.application == filter.application,
            filter.applications?.contains(link.application) ?? true,
            filter.domain == nil || link.domain == filter.domain, isCreated(at: link.createdAt)
        else { return false }
        if let tag = filter.tag, !link.content.tags.contains(tag) { return false }
        if let folder = filter.folder {
            guard let own = link.content.labels[.folder], FolderIndex.isWithin(own, folder) else { return false }
        }
        if let campaign = filter.campaign, link.content.campaign?.name != campaign { return false }
        if let owner = filter.managedBy, link.content.labels[.managedBy] != owner { return false }
        if let state = filter.state, link.state(at: now) != state { return false }
        // The listing's index has the states of the verification; of which links they count is decided here.
        if filter.verified != nil, !link.isVerifiable(at: now) { return false }
        if let query, !link.isFound(by: query) { return false }
        if let search = filter.search, !link.isFound(by: search) { return false }
        return true
    }

    /// Whether the time fits `createdFrom` and `createdTo`.
    package func isCreated(at time: Timestamp) -> Bool {
        if let from = filter.createdFrom, time < from { return false }
        if let to = filter.createdTo, time >= to { return false }
        return true
    }
}

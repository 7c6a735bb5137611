package import WaymarkLinks

/// The names of association files; the raw values are stored and part of the API.
package enum AssociationFileName: String, Sendable, CaseIterable {
    case apple = "apple-app-site-association"
    case assetLinks = "assetlinks.json"
}

/// The services that fetch association files for devices; the raw values are stored and part of the API.
package enum AssociationFetcher: String, Sendable, CaseIterable {
    case apple, google
}

/// An association file of a host.
package struct AssociationFileKey: Sendable, Hashable {
    package var host: HostName
    package var name: AssociationFileName

    package init(_ host: HostName, _ name: AssociationFileName) {
        self.host = host
        self.name = name
    }
}

/// The version of a file that is served.
package struct AssociationVersion: Sendable, Equatable {
    package var file: AssociationFileKey
    /// The entity tag without quotation marks; empty if there is no file.
    package var tag: String
    /// When it replaced another version; nil for the first version that is known.
    package var since: Timestamp?

    package init(_ file: AssociationFileKey, tag: String, since: Timestamp?) {
        self.file = file
        self.tag = tag
        self.since = since
    }
}

/// The last fetch of a file by a service.
package struct AssociationFetch: Sendable, Equatable {
    package var file: AssociationFileKey
    package var fetcher: AssociationFetcher
    package var at: Timestamp
    /// Of the response.
    package var status: Int
    /// The entity tag without quotation marks, and without the suffix of a compressed response; empty if there was no file.
    package var tag: String
    /// When the service fetched this tag, and no other one since.
    package var firstAt: Timestamp

    package init(
        _ file: AssociationFileKey, by fetcher: AssociationFetcher, at: Timestamp, status: Int, tag: String,
        firstAt: Timestamp? = nil
    ) {
        self.file = file
        self.fetcher = fetcher
        self.at = at
        self.status = status
        self.tag = tag
        self.firstAt = firstAt ?? at
    }
}

/// What servers have observed of association files: bounded by the hosts of applications. It is not exported.
///
/// Throws: `StoreError` only.
package protocol AssociationFileStore: Sendable {
    /// Of hosts that an application has, or had until lately.
    func associationVersions() async throws(StoreError) -> [AssociationVersion]
    func associationFetches() async throws(StoreError) -> [AssociationFetch]

    /// Adds observations, in one transaction. Those of several servers are merged: a version that is stored stays as it is, and of
    /// fetches the last one counts. If there are versions, rows of hosts that no application has are deleted.
    ///
    /// - Parameter versions: their `since` counts if another version is stored.
    func record(_ versions: [AssociationVersion], _ fetches: [AssociationFetch]) async throws(StoreError)
}

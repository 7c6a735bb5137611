/// The new values of a patch.
package struct LinkChange: Sendable, Equatable {
    package var content: LinkContent
    package var metadata: MetadataChange

    package enum MetadataChange: Sendable, Equatable {
        case keep
        case set([UInt8])
        case remove
    }

    package init(content: LinkContent, metadata: MetadataChange = .keep) {
        self.content = content
        self.metadata = metadata
    }
}

package enum UpdateOutcome: Sendable, Equatable {
    case updated(Link)
    case versionMismatch(current: Int)
    case unknown
}

package enum LinkDeletion: Sendable, Equatable {
    case deleted
    case versionMismatch(current: Int)
    case unknown
}

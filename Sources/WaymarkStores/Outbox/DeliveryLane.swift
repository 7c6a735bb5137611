internal import WaymarkLinks

/// Which deliveries to an endpoint share its requests. The raw values are stored and never change.
package enum DeliveryLane: Int64, Sendable, CaseIterable {
    /// In order for each link.
    case changes = 0
    /// `link.clicked`: the oldest first, none waits for another.
    case clicks = 1

    package init(of type: EventType) { self = type == .linkClicked ? .clicks : .changes }
}

/// Where a delivery is in the order of its lane.
package struct DeliveryPlace: Sendable, Equatable {
    package var orderKey: Int64
    package var number: Int64

    /// Before all others.
    package static let first = DeliveryPlace(orderKey: .min, number: .min)

    package init(orderKey: Int64, number: Int64) {
        self.orderKey = orderKey
        self.number = number
    }
}

extension OutboxEvent {
    /// Events of a link are sent in order. One of none has a key of its own: it waits for nothing.
    ///
    /// - Parameter number: In the outbox.
    package func orderKey(_ number: Int64) -> Int64 { link?.id.rawValue ?? -number }
}

import WaymarkLinks
package import WaymarkStores

/// What every `LinkStore` promises, as clauses that are each run against a fresh store.
///
/// Knows no test library: a clause throws a `ContractViolation` where a promise is broken, so that any test target can
/// run the suite over its own store.
package struct LinkStoreContract: Sendable, CustomStringConvertible {
    package let description: String
    private let check: @Sendable (any LinkStore) async throws -> Void

    init(_ description: String, _ check: @escaping @Sendable (any LinkStore) async throws -> Void) {
        self.description = description
        self.check = check
    }

    /// - Parameter store: Empty and open. The clause leaves it open.
    package func hold(for store: any LinkStore) async throws { try await check(store) }

    package static let all: [LinkStoreContract] =
        creation + aliases + identity + change + renaming + history + redeem + idempotency + clicks + repeatedWrites
        + clickRecords + clickTotals + longLinks + shipments
        + claims + events
        + listing + filters + folders + sorting + search
        + outbox + deliveries + deliveryOrder + conversions + documents + importRuns
        + applications + slugRules + registeredRoutes + keysAndSecrets + people + audit + oauth + extras
        + associationFiles + verification + clock
        + metrics
}

/// A promise that a store did not keep.
package struct ContractViolation: Error, CustomStringConvertible {
    package let description: String
}

func expect(
    _ condition: Bool, _ promise: String, file: StaticString = #fileID, line: UInt = #line
) throws(ContractViolation) {
    guard condition else { throw ContractViolation(description: "\(file):\(line): \(promise)") }
}

func expect<Value: Equatable>(
    _ value: Value, is expected: Value, file: StaticString = #fileID, line: UInt = #line
) throws(ContractViolation) {
    guard value == expected else {
        throw ContractViolation(description: "\(file):\(line): expected \(expected), found \(value)")
    }
}

func require<Value>(
    _ value: Value?, file: StaticString = #fileID, line: UInt = #line
) throws(ContractViolation) -> Value {
    guard let value else { throw ContractViolation(description: "\(file):\(line): there should be a value") }
    return value
}

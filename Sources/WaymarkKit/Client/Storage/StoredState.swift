import WaymarkJSON

/// A persistent value.
protocol StoredValue: Sendable, Equatable {
    /// The name in the storage.
    static var name: String { get }
    /// The initial value, if nothing is stored.
    init()
    /// Nil if the stored JSON is invalid.
    init?(_ json: JSONValue)
    var json: JSONValue { get }
    /// Merges changes made while the stored value (`self`) could not be read.
    mutating func add(_ later: Self)
}

/// A stored value with its copy in memory. Changes are stored before `update(_:)` returns.
///
/// If the storage can't be read, each use tries again, and nothing is written before a read has succeeded, so that
/// stored data is not lost. If a write fails, the value stays in memory and the next use writes it.
final class StoredState<Value: StoredValue>: Sendable {
    private struct State {
        var value = Value()
        var isLoaded = false
        var isDirty = false
    }

    private let storage: any ClientStorage
    private let state = LockedValue(State())

    init(_ storage: any ClientStorage) {
        self.storage = storage
    }

    var value: Value { update { $0 } }

    /// Whether the stored value is known: it was read, or there was none.
    var isReadable: Bool {
        state.withLock { state in
            if !state.isLoaded { load(&state) }
            return state.isLoaded
        }
    }

    func update<Result: Sendable>(_ change: (inout Value) -> Result) -> Result {
        state.withLock { state in
            if !state.isLoaded { load(&state) }
            let before = state.value
            let result = change(&state.value)
            if state.value != before { state.isDirty = true }
            if state.isDirty, state.isLoaded { store(&state) }
            return result
        }
    }

    private func load(_ state: inout State) {
        let bytes: [UInt8]?
        do {
            bytes = try storage.read(Value.name)
        } catch {
            return
        }
        state.isLoaded = true
        guard let bytes else { return }
        guard let json = try? JSONValue(parsing: bytes), var stored = Value(json) else {
            storage.setAside(Value.name)
            return
        }
        if state.isDirty { stored.add(state.value) }
        state.value = stored
    }

    private func store(_ state: inout State) {
        guard (try? storage.write(state.value.json.bytes(), to: Value.name)) != nil else { return }
        state.isDirty = false
    }
}

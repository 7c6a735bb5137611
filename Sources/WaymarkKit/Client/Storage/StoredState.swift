import WaymarkJSON

/// A value that outlasts the app.
protocol StoredValue: Sendable, Equatable {
    /// What the storage calls it.
    static var name: String { get }
    /// What it is where nothing was stored.
    init()
    /// Nil where the stored text is not such a value.
    init?(_ json: JSONValue)
    var json: JSONValue { get }
    /// Takes over what was done while the stored value, this one, could not be read.
    mutating func add(_ later: Self)
}

/// A value in the storage with the copy that is worked on. Changes are stored before `update(_:)` returns.
///
/// A storage that can't be read now is asked again at each use, and nothing is written before it was read, so that
/// nothing that is there is lost. Where writing fails the value lives on in memory and the next use writes it.
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

    /// The value as it is.
    var value: Value { update { $0 } }

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

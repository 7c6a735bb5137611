/// JSON merge patch (RFC 7396): a document that looks like its target and names only what changes.
package enum JSONMergePatch {
    /// The target after the patch: members that the patch gives as null are gone, objects are merged member by member,
    /// everything else is replaced. A patch that is no object replaces the target whole.
    ///
    /// Members keep the target's order, new ones follow in the patch's. Linear in the size of both.
    package static func apply(_ patch: JSONValue, to target: JSONValue?) -> JSONValue {
        guard case .object(let changes) = patch.kind else { return patch }
        let present = target?.object ?? JSONObject()
        var result = JSONObject()
        for member in present.members {
            guard let change = changes[member.name] else {
                _ = result.append(member)
                continue
            }
            if !change.isNull { result[member.name] = apply(change, to: member.value) }
        }
        for change in changes.members where !change.value.isNull && present[change.name] == nil {
            result[change.name] = apply(change.value, to: nil)
        }
        return JSONValue(result)
    }
}

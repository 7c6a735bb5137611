/// JSON merge patch (RFC 7396): a document with the structure of its target that contains only the changes.
package enum JSONMergePatch {
    /// Applies the patch: members that are null in the patch are removed, objects are merged recursively, everything
    /// else is replaced. A patch that is not an object replaces the whole target.
    ///
    /// Members keep the target's order, new ones follow in the patch's order. Linear in the size of both.
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

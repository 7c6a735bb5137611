import WaymarkJSON

enum MergePatch {
    /// The merge patch (RFC 7396) that makes `new` of `old`.
    static func patch(from old: JSONValue, to new: JSONValue) -> JSONValue {
        guard let before = old.object, let after = new.object else { return new }
        var patch = JSONObject()
        for member in before.members where after[member.name] == nil { patch[member.name] = .null }
        for member in after.members {
            guard let value = before[member.name] else {
                patch[member.name] = member.value
                continue
            }
            if value != member.value { patch[member.name] = self.patch(from: value, to: member.value) }
        }
        return JSONValue(patch)
    }
}

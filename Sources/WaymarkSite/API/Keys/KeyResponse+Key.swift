import WaymarkAPI
import WaymarkLinks
import WaymarkService
import WaymarkStores

extension KeyResponse {
    init(_ key: StoredKey, text: KeyText?) {
        let scopes = KeyScope.allCases.filter(key.scopes.contains).map(\.rawValue)
        self.init(
            id: key.id, key: text?.text, name: key.name, app: key.application?.text, scopes: scopes,
            createdAt: key.createdAt.wholeSecond, expiresAt: key.expiresAt?.rfc3339,
            lastUsedAt: key.lastUsedAt?.wholeSecond, platform: key.platform?.rawValue)
    }
}

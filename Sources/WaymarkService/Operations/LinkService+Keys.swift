import WaymarkLinks
package import WaymarkStores

extension LinkService {
    /// Creates a key for an existing application, or for all.
    package func makeKey(_ request: NewKey, by maker: KeyIdentity) async throws(StoreError) -> KeyCreation {
        if let application = request.application, maker.may(.admin, in: application),
            applications.directory.current.application(application) == nil
        {
            return .unknownApplication
        }
        let claim = request.text.flatMap { applications.claim(to: [$0.text]) }
        return try await keys.make(request, claiming: claim, by: maker)
    }
}

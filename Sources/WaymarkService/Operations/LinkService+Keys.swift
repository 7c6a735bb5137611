import WaymarkLinks
package import WaymarkStores

extension LinkService {
    /// Creates a key for an existing application, or for all.
    package func makeKey(_ request: NewKey, by maker: KeyIdentity) async throws(StoreError) -> KeyCreation {
        if let application = request.application, maker.reaches(application),
            applications.directory.current.application(application) == nil
        {
            return .unknownApplication
        }
        return try await keys.make(request, by: maker)
    }
}

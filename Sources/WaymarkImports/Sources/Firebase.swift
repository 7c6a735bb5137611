import WaymarkAPI
internal import WaymarkLinks

extension ServiceTable {
    /// Firebase Dynamic Links, as Google Takeout exported them: 29 columns, under the names of the parameters or under those
    /// that Google documents.
    package static let firebase = ServiceTable(
        columns: firebaseColumns, required: [[.smartlink], [.firebase(.link)]],
        finish: { link in
            if link.address.slug.isEmpty { link.refuse("it has no short link; long links need no import") }
        })

    private static let firebaseColumns: [String: ImportField] = {
        var columns: [String: ImportField] = [
            "shortlink": .smartlink, "deeplink": .firebase(.link), "deeplinklink": .firebase(.link),
            "itunesconnectat": .firebase(.at), "itunesconnectct": .firebase(.ct), "itunesconnectmt": .firebase(.mt),
            "itunesconnectpt": .firebase(.pt), "archived": .archived, "linkname": .label(.title),
            "name": .label(.title),
            "creationtimestamp": .createdAt,
        ]
        for parameter in FirebaseParameter.allCases { columns[key(parameter.rawValue)] = .firebase(parameter) }
        return columns
    }()
}

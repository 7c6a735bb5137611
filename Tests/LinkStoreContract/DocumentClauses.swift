import WaymarkStores

extension LinkStoreContract {
    /// Of stores on a disk.
    static let documents = [
        LinkStoreContract("replaces a document only where its version is the expected one") { store in
            guard let documents = store as? any SealingStore else { return }
            try expect(try await documents.document("certificate/a") == nil, "there is no document yet")
            try expect(
                try await documents.writeDocument("certificate/a", [1], replacing: 1, reporting: [], recording: nil),
                is: false)
            try expect(
                try await documents.writeDocument("certificate/a", [1], replacing: nil, reporting: [], recording: nil),
                is: true)
            try expect(
                try await documents.writeDocument("certificate/a", [2], replacing: nil, reporting: [], recording: nil),
                is: false)
            try expect(
                try await documents.writeDocument("certificate/a", [2], replacing: 1, reporting: [], recording: nil),
                is: true)
            try expect(
                try await documents.writeDocument("certificate/a", [3], replacing: 1, reporting: [], recording: nil),
                is: false)
            try expect(
                try await documents.document("certificate/a"),
                is: StoredDocument(name: "certificate/a", version: 2, content: [2]))
        },
        LinkStoreContract("lists documents by prefix, in the order of bytes") { store in
            guard let documents = store as? any SealingStore else { return }
            for name in ["b/z", "a/b", "a/_", "a/B", "a%/c", "ab"] {
                try expect(
                    try await documents.writeDocument(name, [], replacing: nil, reporting: [], recording: nil), is: true
                )
            }
            try expect(try await documents.documents(prefix: "a/").map(\.name), is: ["a/B", "a/_", "a/b"])
            try expect(try await documents.removeDocument("a/_", recording: nil), is: true)
            try expect(try await documents.removeDocument("a/_", recording: nil), is: false)
            try expect(try await documents.documents(prefix: "").count, is: 5)
        },
        LinkStoreContract("lets one of many writers of a document win") { store in
            guard let documents = store as? any SealingStore else { return }
            try expect(
                try await documents.writeDocument("lease", [0], replacing: nil, reporting: [], recording: nil), is: true
            )
            let written = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<20 {
                    group.addTask {
                        try await documents.writeDocument(
                            "lease", [UInt8(number)], replacing: 1, reporting: [], recording: nil)
                    }
                }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            try expect(written, is: 1)
        },
    ]
}

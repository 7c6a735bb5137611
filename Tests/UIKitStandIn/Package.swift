// swift-tools-version: 6.2
// The client library with a module UIKit of this folder's in place of Apple's, and apps that use both.
// `Scripts/check-uikit` puts the library's sources beside it.
import PackageDescription

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
    name: "uikit-stand-in",
    platforms: [.macOS(.v13)],
    targets: [
        .target(name: "UIKit", path: "UIKit", swiftSettings: strict),
        .target(name: "WaymarkBytes", swiftSettings: strict),
        .target(name: "WaymarkJSON", dependencies: ["WaymarkBytes"], swiftSettings: strict),
        .target(name: "WaymarkAPI", dependencies: ["WaymarkJSON"], swiftSettings: strict),
        .target(
            name: "WaymarkKit", dependencies: ["WaymarkBytes", "WaymarkAPI", "WaymarkJSON", "UIKit"],
            exclude: ["PrivacyInfo.xcprivacy", "WaymarkKit.docc"], swiftSettings: strict),
        .target(
            name: "WaymarkKitCompatibility", dependencies: ["WaymarkBytes", "WaymarkKit", "WaymarkJSON", "UIKit"],
            exclude: ["WaymarkKitCompatibility.docc"], swiftSettings: strict),
        // The same sources in both modes; MemberImportVisibility is not what a new project has.
        .target(
            name: "OtherSDKSample", dependencies: ["WaymarkKitCompatibility", "UIKit"], path: "OtherSDKSample",
            swiftSettings: [.swiftLanguageMode(.v6)]),
        .target(
            name: "OtherSDKSampleSwift5", dependencies: ["WaymarkKitCompatibility", "UIKit"],
            path: "OtherSDKSampleSwift5",
            swiftSettings: [.swiftLanguageMode(.v5), .define("SWIFT5")]),
        // Swift Testing has an overlay for Apple's UIKit, which the compiler would look for.
        .testTarget(
            name: "OtherSDKSampleTests",
            dependencies: ["OtherSDKSample", "WaymarkKit", "WaymarkAPI", "WaymarkKitCompatibility", "UIKit"],
            path: "OtherSDKSampleTests",
            swiftSettings: strict + [.unsafeFlags(["-Xfrontend", "-disable-cross-import-overlays"])]),
    ]
)

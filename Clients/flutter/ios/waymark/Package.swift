// swift-tools-version: 5.9
import PackageDescription

let package = Package(
    name: "waymark",
    platforms: [.iOS("13.0")],
    products: [.library(name: "waymark", targets: ["waymark"])],
    dependencies: [],
    targets: [.target(name: "waymark")]
)

@_exported public import WaymarkKit

// What appears in the library's own signatures, so that `import WaymarkKit` is all an app needs. One type at a time:
// names such as `Endpoint` are the app's.
@_exported public import struct WaymarkAPI.AppUpdate
@_exported public import struct WaymarkAPI.CampaignRequest
@_exported public import struct WaymarkAPI.FieldProblem
@_exported public import struct WaymarkAPI.LinkRequest
@_exported public import struct WaymarkAPI.LinkResponse
@_exported public import struct WaymarkAPI.MinimumVersionRequest
@_exported public import struct WaymarkAPI.Problem
@_exported public import enum WaymarkAPI.ProblemType
@_exported public import struct WaymarkAPI.RawJSON
@_exported public import struct WaymarkAPI.RedeemCount
@_exported public import struct WaymarkAPI.ResolveRequest
@_exported public import struct WaymarkAPI.ResolveResponse
@_exported public import struct WaymarkAPI.RuleRequest
@_exported public import struct WaymarkAPI.SocialRequest
@_exported public import struct WaymarkAPI.URLEntryRequest

// Types in the library's own signatures, so that apps only need `import WaymarkKit`. They are listed one by one to
// keep names such as `Endpoint` free for the app.
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

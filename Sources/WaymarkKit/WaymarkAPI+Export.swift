// What appears in the library's own signatures, so that `import WaymarkKit` is all an app needs. One type at a time:
// names such as `Endpoint` are the app's.
@_exported public import struct WaymarkAPI.AppUpdate
@_exported public import struct WaymarkAPI.CampaignBody
@_exported public import struct WaymarkAPI.FieldProblem
@_exported public import struct WaymarkAPI.LinkAnswer
@_exported public import struct WaymarkAPI.LinkBody
@_exported public import struct WaymarkAPI.MinimumVersionBody
@_exported public import struct WaymarkAPI.Problem
@_exported public import enum WaymarkAPI.ProblemType
@_exported public import struct WaymarkAPI.RawJSON
@_exported public import struct WaymarkAPI.RedeemCount
@_exported public import struct WaymarkAPI.ResolveAnswer
@_exported public import struct WaymarkAPI.ResolveBody
@_exported public import struct WaymarkAPI.RuleBody
@_exported public import struct WaymarkAPI.SocialBody
@_exported public import struct WaymarkAPI.URLBody

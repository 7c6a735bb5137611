import '../url/deep_link_url.dart';
import '../url/percent_encoding.dart';

/// How URLs are read for routes.
class RoutingDialect {
  const RoutingDialect._({
    this.isCaseSensitive = true,
    this.keepsEmptySegments = true,
    this.escapedSlashSeparates = false,
    this.firstQueryItemWins = false,
    this.flagIsEmptyString = false,
    this.firstDefaultRouteStays = false,
    this.keepsUnroutedDeeplink = true,
  });

  /// As RFC 3986 reads them; the default.
  static const standard = RoutingDialect._();

  /// The rules of the HOKO SDK for iOS.
  static const ios = RoutingDialect._(escapedSlashSeparates: true);

  /// The rules of the HOKO SDK for Android.
  static const android = RoutingDialect._(
    isCaseSensitive: false,
    keepsEmptySegments: false,
    firstQueryItemWins: true,
    flagIsEmptyString: true,
    firstDefaultRouteStays: true,
    keepsUnroutedDeeplink: false,
  );

  final bool isCaseSensitive;
  final bool keepsEmptySegments;
  final bool escapedSlashSeparates;
  final bool firstQueryItemWins;
  final bool flagIsEmptyString;
  final bool firstDefaultRouteStays;
  final bool keepsUnroutedDeeplink;

  /// The decoded segments that are matched with routes: the host first, then the path. Null if the URL has no
  /// scheme, or only slashes after it.
  List<String>? segmentsOf(DeepLinkUrl url) {
    if (url.scheme == null) return null;
    final path = (url.host ?? '') + url.path;
    var rest = path.replaceFirst(RegExp('^/+'), '');
    if (rest.endsWith('/')) rest = rest.substring(0, rest.length - 1);
    if (rest == '') return null;
    var segments = rest.split('/').map(decodeWhole).toList();
    if (escapedSlashSeparates) segments = segments.expand((segment) => segment.split('/')).toList();
    if (!keepsEmptySegments) segments.removeWhere((segment) => segment == '');
    return segments.isEmpty ? null : segments;
  }

  /// The query as decoded names and values. A name without a value has null.
  Map<String, String?> queryParametersOf(DeepLinkUrl url) {
    final parameters = <String, String?>{};
    for (final item in url.queryItems) {
      final name = decodeWhole(item.name, plusIsSpace: true);
      if (firstQueryItemWins && parameters.containsKey(name)) continue;
      final value = item.value;
      parameters[name] =
          value == null ? (flagIsEmptyString ? '' : null) : decodeWhole(value, plusIsSpace: true);
    }
    return parameters;
  }

  /// The form in which segments and formats are compared: simple case mapping (Unicode, section 4.2),
  /// character by character, so that `ß` is not `ss`.
  String comparable(String text) {
    if (isCaseSensitive) return text;
    return String.fromCharCodes(text.runes.map((rune) {
      final upper = _single(String.fromCharCode(rune).toUpperCase()) ?? rune;
      return _single(String.fromCharCode(upper).toLowerCase()) ?? upper;
    }));
  }

  static int? _single(String mapping) => mapping.runes.length == 1 ? mapping.runes.first : null;
}

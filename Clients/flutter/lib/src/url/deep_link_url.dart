import 'percent_encoding.dart';

/// An item of a query, as written. [value] is null without `=`.
class QueryItem {
  const QueryItem(this.name, this.value);

  final String name;
  final String? value;

  String get text => value == null ? name : '$name=$value';
}

/// The service's parameters of a URL: those whose names begin with `_hk_`.
class ServiceParameters {
  const ServiceParameters({this.clickId, this.smartlinkId, this.needsMetadata = false});

  final String? clickId;
  final String? smartlinkId;
  final bool needsMetadata;
}

/// A URL as its raw text, split at the delimiters of RFC 3986, appendix B, and nowhere else. Any text is
/// valid, and nothing is normalised: `Uri` changes paths and refuses hosts that a link may have.
class DeepLinkUrl {
  DeepLinkUrl._(this.scheme, this.authority, this.path, this.query, this.fragment, this.text);

  factory DeepLinkUrl(String text) {
    final match = _split.firstMatch(text)!;
    return DeepLinkUrl._(match[1], match[2], match[3]!, match[4], match[5], text);
  }

  factory DeepLinkUrl.joining({
    String? scheme,
    String? authority,
    String path = '',
    String? query,
    String? fragment,
  }) {
    final text = StringBuffer();
    if (scheme != null) text.write('$scheme:');
    if (authority != null) text.write('//$authority');
    text.write(path);
    if (query != null) text.write('?$query');
    if (fragment != null) text.write('#$fragment');
    return DeepLinkUrl._(scheme, authority, path, query, fragment, text.toString());
  }

  static final _split = RegExp(r'^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#([^]*))?$');

  final String? scheme;
  final String? authority;
  final String path;
  final String? query;
  final String? fragment;
  final String text;

  /// The authority without user, port and the brackets of an IPv6 address; null without an authority.
  String? get host {
    final authority = this.authority;
    if (authority == null) return null;
    final host = authority.substring(authority.lastIndexOf('@') + 1).replaceFirst(RegExp(r':[0-9]*$'), '');
    final isLiteral = host.startsWith('[') && host.endsWith(']') && host.contains(':');
    return isLiteral ? host.substring(1, host.length - 1) : host;
  }

  List<String> get segments => path == '' ? [] : path.replaceFirst(RegExp('^/'), '').split('/');

  List<QueryItem> get queryItems {
    final query = this.query;
    if (query == null || query == '') return [];
    return [
      for (final item in query.split('&'))
        item.contains('=')
            ? QueryItem(item.substring(0, item.indexOf('=')), item.substring(item.indexOf('=') + 1))
            : QueryItem(item, null),
    ];
  }

  /// Whether the scheme is `http` or `https`, ignoring case.
  bool get isWeb => scheme != null && const {'http', 'https'}.contains(scheme!.toLowerCase());

  /// A web link as a link of the app.
  DeepLinkUrl asAppLink(String scheme) {
    var rest = path.replaceFirst(RegExp('^/+'), '');
    if (query == null && fragment == null && rest.endsWith('/')) rest = rest.substring(0, rest.length - 1);
    // The first segment becomes the authority: what would make it more than a host is escaped.
    final first = rest.split('/').first;
    final host = first.replaceAllMapped(RegExp(r'[@:[\]]'), (match) => encodeWhole(match[0]!));
    return DeepLinkUrl(DeepLinkUrl.joining(
      scheme: scheme,
      authority: '',
      path: host + rest.substring(first.length),
      query: query,
      fragment: fragment,
    ).text);
  }

  /// The service's parameters. The last of several wins; an empty value is none.
  ServiceParameters get service {
    String? clickId;
    String? smartlinkId;
    var needsMetadata = false;
    for (final item in queryItems) {
      final decoded = decodeWhole(item.value ?? '', plusIsSpace: true);
      final value = decoded == '' ? null : decoded;
      switch (decodeWhole(item.name, plusIsSpace: true)) {
        case '_hk_cid':
          clickId = value;
          break;
        case '_hk_sid':
          smartlinkId = value;
          break;
        case '_hk_md':
          needsMetadata = true;
          break;
      }
    }
    return ServiceParameters(clickId: clickId, smartlinkId: smartlinkId, needsMetadata: needsMetadata);
  }

  /// The URL without the service's parameters.
  DeepLinkUrl get withoutService {
    final items = queryItems;
    final kept = [
      for (final item in items)
        if (!decodeWhole(item.name, plusIsSpace: true).startsWith('_hk_')) item,
    ];
    if (kept.length == items.length) return this;
    return DeepLinkUrl.joining(
      scheme: scheme,
      authority: authority,
      path: path,
      query: kept.isEmpty ? null : kept.map((item) => item.text).join('&'),
      fragment: fragment,
    );
  }

  @override
  String toString() => text;
}

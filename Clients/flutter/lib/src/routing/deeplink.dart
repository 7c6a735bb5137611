import 'dart:convert';

import '../client/answers.dart';
import '../client/waymark_exception.dart';
import '../url/percent_encoding.dart';
import 'deeplinking_exception.dart';
import 'route_format.dart';

/// A destination in the app: a route with its parameters, read from a URL that the app was opened with, or
/// made by the app to create a smart link.
class Deeplink {
  /// A deep link to create a smart link from. Throws a [DeeplinkingException] if the route has a variable
  /// without a value, or with the value `.` or `..`, which no URL can have (RFC 3986, section 5.2.4), and if
  /// [metadata] is not JSON.
  Deeplink({
    String? route,
    Map<String, Object?> routeParameters = const {},
    Map<String, Object?> queryParameters = const {},
    this.metadata,
    this.redeemLimit,
    this.isUnique = false,
    this.urls = const {},
  })  : route = _formatOf(route),
        routeParameters = _texts(routeParameters),
        queryParameters = Map<String, String?>.of(_texts(queryParameters)),
        isDeferred = false,
        openedUrl = null,
        clickId = null,
        smartlink = null,
        update = null {
    final variables = RouteFormat(route ?? '').variables;
    final missing = [
      for (final name in variables)
        if (!this.routeParameters.containsKey(name)) name,
    ];
    if (missing.isNotEmpty) {
      throw DeeplinkingException(
        DeeplinkingErrorCode.missingRouteParameters,
        "the route's parameters ${missing.join(', ')} are missing",
        missing,
      );
    }
    final invalid = [
      for (final name in variables)
        if (const {'.', '..'}.contains(this.routeParameters[name])) name,
    ];
    if (invalid.isNotEmpty) {
      throw DeeplinkingException(
        DeeplinkingErrorCode.invalidRouteParameters,
        "the route's parameters ${invalid.join(', ')} must not be dots",
        invalid,
      );
    }
    try {
      jsonEncode(metadata);
    } on Object {
      throw const DeeplinkingException(DeeplinkingErrorCode.invalidMetadata, 'the metadata is not JSON');
    }
  }

  /// A deep link that the router opens.
  Deeplink.opened({
    required this.route,
    required this.routeParameters,
    required this.queryParameters,
    this.metadata,
    this.update,
    this.isDeferred = false,
    required this.openedUrl,
    this.clickId,
    this.smartlink,
    this.error,
  })  : redeemLimit = null,
        isUnique = false,
        urls = const {};

  /// The format of the route; null without one.
  final String? route;
  final Map<String, String> routeParameters;

  /// The query, without the service's parameters. A name without `=` has null.
  final Map<String, String?> queryParameters;

  /// Private values of the link. Set later if they arrive after the link was opened.
  Map<String, Object?>? metadata;
  final int? redeemLimit;
  final bool isUnique;

  /// URLs by platform, as in the REST API.
  final Map<String, Object?> urls;

  /// Whether the link led to the installation.
  final bool isDeferred;

  /// The URL that decided; of a link that could not be resolved, the URL that the app was opened with.
  final String? openedUrl;
  final String? clickId;

  /// The smart link that it was resolved from.
  final String? smartlink;

  /// The link requires a newer version of the app.
  AppUpdate? update;

  /// Why the link could not be resolved, or why the metadata that it announces are missing; else null.
  Object? error;

  /// Whether the target has run.
  bool wasOpened = false;

  /// The error's name, `offline` for example; null without one.
  String? get errorCode {
    final error = this.error;
    return error == null ? null : WaymarkException.of(error).code.name;
  }

  /// The route with its parameters and the query, without a scheme: `products/42?referrer=bob`; null without
  /// a route.
  String? get url {
    final path = route == null ? null : RouteFormat(route!).filled(routeParameters);
    if (path == null) return null;
    final query = queryText(queryParameters);
    return query == '' ? path : '$path?$query';
  }

  /// The body that creates the smart link. Only the route's own parameters are part of it.
  Map<String, Object?> get linkRequest {
    final variables = RouteFormat(route ?? '').variables;
    return {
      if (route != null) 'route': route,
      if (variables.isNotEmpty)
        'routeParameters': {for (final name in variables) name: routeParameters[name]},
      if (queryParameters.isNotEmpty)
        'queryParameters': {
          for (final entry in queryParameters.entries) entry.key: entry.value ?? '',
        },
      if (urls.isNotEmpty) 'urls': urls,
      if (metadata != null) 'metadata': metadata,
      if ((redeemLimit ?? 0) > 0) 'redeemLimit': redeemLimit,
      if (isUnique) 'unique': true,
    };
  }

  /// For logs: neither parameters nor metadata.
  @override
  String toString() => 'Deeplink(route: $route, wasOpened: $wasOpened, error: $errorCode)';

  static String? _formatOf(String? route) {
    final text = RouteFormat(route ?? '').text;
    return text == '' ? null : text;
  }

  static Map<String, String> _texts(Map<String, Object?> parameters) => {
        for (final entry in parameters.entries)
          if (entry.value != null) entry.key: '${entry.value}',
      };
}

/// The escaped query, sorted by name; a name without a value has no `=`.
String queryText(Map<String, String?> parameters) {
  final names = parameters.keys.toList()..sort();
  return names.map((name) {
    final value = parameters[name];
    return encodeWhole(name) + (value == null ? '' : '=${encodeWhole(value)}');
  }).join('&');
}

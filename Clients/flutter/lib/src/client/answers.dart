import 'kept_links.dart';
import 'request_sender.dart';
import 'waymark_exception.dart';

/// How often a link was redeemed. [limit] is null without one.
class Redeem {
  const Redeem({required this.used, this.limit, this.remaining, this.status});

  final int used;
  final int? limit;
  final int? remaining;

  /// Why there is no metadata: `exhausted`, for example; null if there was none to take.
  final String? status;
}

/// The link requires a newer version of the app.
class AppUpdate {
  const AppUpdate(this.minimumVersion, this.url);

  final String minimumVersion;

  /// The app's page in the store.
  final String? url;
}

/// What a smart link leads to.
class ResolvedLink {
  const ResolvedLink({
    required this.deeplink,
    required this.route,
    required this.routeParameters,
    required this.queryParameters,
    required this.metadata,
    required this.redeem,
    required this.update,
    required this.json,
  });

  /// The link's URL for this platform; null if it has none.
  final String? deeplink;

  /// The link's route; null if it has none, or if [deeplink] leads elsewhere.
  final String? route;
  final Map<String, String> routeParameters;
  final Map<String, String> queryParameters;
  final Map<String, Object?>? metadata;
  final Redeem redeem;
  final AppUpdate? update;

  /// The answer as it was received.
  final Map<String, Object?> json;

  @override
  String toString() => 'ResolvedLink(route: $route, hasMetadata: ${metadata != null})';
}

/// The link that led to this installation.
class DeferredDeeplink {
  const DeferredDeeplink({required this.link, required this.match, required this.clickId});

  static DeferredDeeplink? ofKept(KeptLink kept) {
    final answer = kept.answer;
    if (answer == null) return null;
    return DeferredDeeplink(
      link: readResolve(200, answer),
      match: kept.match ?? '',
      clickId: kept.clickId ?? '',
    );
  }

  final ResolvedLink link;

  /// How it was found: `referrer` or `clipboard`.
  final String match;
  final String clickId;
}

ResolvedLink readResolve(int status, Map<String, Object?> json) {
  final redeem = json['redeem'];
  final used = redeem is Map<String, Object?> ? _integer(redeem['used']) : null;
  if (used == null) throw WaymarkException(WaymarkErrorCode.unexpectedAnswer, httpStatus: status);
  redeem as Map<String, Object?>;
  final update = json['update'];
  final minimumVersion = update is Map<String, Object?> ? textOrNull(update['minimumVersion']) : null;
  return ResolvedLink(
    deeplink: textOrNull(json['deeplink']),
    route: textOrNull(json['route']),
    routeParameters: _parameters(json['routeParameters']),
    queryParameters: _parameters(json['queryParameters']),
    metadata: json['metadata'] is Map<String, Object?> ? json['metadata']! as Map<String, Object?> : null,
    redeem: Redeem(
      used: used,
      limit: _integer(redeem['limit']),
      remaining: _integer(redeem['remaining']),
      status: textOrNull(redeem['status']),
    ),
    update: minimumVersion == null
        ? null
        : AppUpdate(minimumVersion, textOrNull((update! as Map<String, Object?>)['url'])),
    json: json,
  );
}

String readSmartlink(JsonAnswer answer) {
  final smartlink = answer.members['smartlink'];
  if (smartlink is! String) throw answer.unexpected;
  return smartlink;
}

/// How many events or conversions were counted.
int readCounted(JsonAnswer answer) => _integer(answer.members['counted']) ?? (throw answer.unexpected);

/// The response to a claim; null if no link was found. A response without `match` is no response to a claim
/// and must not end one.
DeferredDeeplink? readClaim(JsonAnswer answer, String clickId) {
  final json = answer.members;
  if (json.containsKey('match') && json['match'] == null) return null;
  final match = json['match'];
  final method = match is Map<String, Object?> ? textOrNull(match['method']) : null;
  if (method == null) throw answer.unexpected;
  return DeferredDeeplink(link: readResolve(answer.status, json), match: method, clickId: clickId);
}

int? _integer(Object? value) {
  if (value is int) return value;
  return value is double && value.isFinite && value == value.truncateToDouble() ? value.toInt() : null;
}

/// Numbers and booleans are accepted as their text.
Map<String, String> _parameters(Object? value) => {
      if (value is Map<String, Object?>)
        for (final entry in value.entries)
          if (entry.value is String || entry.value is num || entry.value is bool)
            entry.key: '${entry.value}',
    };

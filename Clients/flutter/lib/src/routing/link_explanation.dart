/// What `open` would do with a URL, and why. Section 14 of the clients' specification has the values.
class LinkExplanation {
  const LinkExplanation({
    required this.outcome,
    required this.why,
    this.url,
    this.route,
    this.routeParameters = const {},
    this.otherRoutes = const [],
    this.error,
    required this.subject,
  });

  /// `opens`, `opensDefault`, `resolves`, `nothing` or `notHandled`.
  final String outcome;

  /// `foreignScheme`, `tooLong`, `smartlink`, `lazyLink`, `otherHost`, `appLink`; after asking the service
  /// `answerRoute`, `answerURL`, `unknownLink` or `failed`.
  final String why;

  /// The URL that routes are matched with.
  final String? url;

  /// The format of the route that opens.
  final String? route;
  final Map<String, String> routeParameters;

  /// Formats that match the URL too and have lower priority.
  final List<String> otherRoutes;

  /// Why the service could not resolve the link.
  final String? error;

  /// The host, scheme or format that decided.
  final String subject;

  static const _reasons = {
    'foreignScheme': 'its scheme is not one of the app',
    'tooLong': 'it has more than 16,384 bytes',
    'smartlink': 'its host is one of the domains',
    'lazyLink': 'its destination is in the URL',
    'otherHost': 'its host is not one of the domains, so it is read as a link of the app',
    'appLink': 'it is a link of the app',
    'answerRoute': "the answer's route decides",
    'answerURL': "the answer's URL decides",
    'unknownLink': 'the service knows no such link, so it is read as a link of the app',
    'failed': 'the service could not resolve it',
  };

  @override
  String toString() {
    final opens = {
      'opens': 'opens $route',
      'opensDefault': 'opens the default route',
      'resolves': 'asks the service first',
      'nothing': 'opens nothing: no route matches, and there is no default route',
      'notHandled': 'is not handled',
    }[outcome]!;
    final others = otherRoutes.isEmpty ? '' : '; ${otherRoutes.join(', ')} match too';
    return 'The URL $opens: ${_reasons[why]} ($subject)${error == null ? '' : ', $error'}$others.';
  }
}

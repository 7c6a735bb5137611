/// Why a link could not be mapped, made or created, without a request.
enum DeeplinkingErrorCode {
  duplicateRoute,
  duplicateDefaultRoute,
  missingRouteParameters,
  invalidRouteParameters,
  invalidMetadata,
  routeNotMapped,
  noService,
}

/// An error of deep links in the app, without a request.
class DeeplinkingException implements Exception {
  const DeeplinkingException(this.code, this.message, [this.names = const []]);

  final DeeplinkingErrorCode code;
  final String message;

  /// The routes or parameters that the error is about.
  final List<String> names;

  @override
  String toString() => message;
}

/// The router was made without a client.
const noService =
    DeeplinkingException(DeeplinkingErrorCode.noService, 'no connection to the service was given');

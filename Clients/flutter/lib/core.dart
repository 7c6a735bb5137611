/// The client and the router without Flutter, for tests and programs in Dart.
library waymark.core;

export 'src/client/answers.dart' show AppUpdate, DeferredDeeplink, Redeem, ResolvedLink;
export 'src/client/clock.dart' show ClientClock;
export 'src/client/diagnostic.dart';
export 'src/client/event_queue.dart' show EventCounts;
export 'src/client/retry_policy.dart' show RetryPolicy;
export 'src/client/transport.dart';
export 'src/client/waymark_client.dart' show WaymarkClient;
export 'src/client/waymark_exception.dart' show Problem, ProblemError, WaymarkErrorCode, WaymarkException;
export 'src/routing/deeplink.dart' show Deeplink;
export 'src/routing/deeplinking.dart';
export 'src/routing/deeplinking_exception.dart' show DeeplinkingErrorCode, DeeplinkingException;
export 'src/routing/link_check.dart' show LinkFinding;
export 'src/routing/link_explanation.dart';
export 'src/routing/link_runner.dart' show DeeplinkFilter, DeeplinkTarget;
export 'src/routing/opening.dart' show Opening, OpeningStatus;
export 'src/routing/routing_dialect.dart';
export 'src/storage/client_storage.dart';
export 'src/storage/file_storage.dart';
export 'src/templates/deep_link_template.dart';
export 'src/url/deep_link_url.dart';
export 'src/version.dart';

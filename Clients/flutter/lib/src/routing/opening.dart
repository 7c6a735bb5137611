import '../client/kept_links.dart';
import '../client/waymark_exception.dart';
import '../url/deep_link_url.dart';
import 'deeplink.dart';
import 'link_runner.dart';

/// What became of a link.
enum OpeningStatus {
  /// Its target has run.
  opened,

  /// No route matched, a filter held it back, or another link was opened meanwhile.
  notOpened,

  /// It could not be resolved.
  failed,

  /// It is not a link of the app.
  notHandled,
}

/// The result of opening a link.
class Opening {
  const Opening(this.status, this.deeplink, this.error);

  final OpeningStatus status;
  final Deeplink? deeplink;

  /// Why the link could not be resolved.
  final Object? error;

  @override
  String toString() => 'Opening(${status.name}, $deeplink)';
}

/// A link with its target. Of the router only.
class RoutedLink {
  RoutedLink(
    this.deeplink,
    this.target, {
    this.isFromSmartlink = false,
    this.isByRoute = false,
    this.isInstallation = false,
    this.isOpen = true,
    this.isUnresolved = false,
  });

  final Deeplink deeplink;
  final DeeplinkTarget? target;

  /// Whether it is recorded as opened.
  final bool isFromSmartlink;

  /// Whether the answer's route decided.
  final bool isByRoute;
  final bool isInstallation;

  /// Whether `open` was called, not `openSmartlink`.
  final bool isOpen;

  /// Whether the service could not say where it leads. Its target is the default route.
  final bool isUnresolved;

  /// Whether asking for it again is of no use.
  bool get isRefused => isUnresolved && !WaymarkException.of(deeplink.error!).isTransient;

  /// Its place in the storage; null if it has none.
  KeptLink? get kept => _kept;
  KeptLink? _kept;

  set kept(KeptLink? kept) {
    _kept = kept;
    if (kept != null && kept.recorded) isRecorded = true;
  }

  bool isRecorded = false;

  /// The host of the smart link that it came from.
  String? get host {
    final smartlink = deeplink.smartlink;
    return smartlink == null ? null : DeepLinkUrl(smartlink).host;
  }
}

/// What opening a URL takes.
class OpeningPlan {
  const OpeningPlan.link(RoutedLink this.link, {required this.needsMetadata}) : smartlink = null;

  const OpeningPlan.resolve(String this.smartlink)
      : link = null,
        needsMetadata = false;

  final RoutedLink? link;
  final bool needsMetadata;
  final String? smartlink;
}

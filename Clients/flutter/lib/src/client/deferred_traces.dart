import '../url/deep_link_url.dart';
import '../url/link_hosts.dart';
import '../url/percent_encoding.dart';

/// In bytes. Play's referrers and smart links are shorter.
const lengthLimit = 4096;

/// What may be sent of an install referrer and of the clipboard's text: only what comes from the service. A
/// referrer needs a click ID; the text must be a link to one of the hosts that has a click ID and no user. A
/// link without one can't match and would use up the installation's only claim; anything else is private.
class DeferredTraces {
  const DeferredTraces._(this.referrer, this.clipboard, this.clickId);

  factory DeferredTraces({String? referrer, String? clipboard, required LinkHosts hosts}) {
    final fromReferrer = _clickIdInReferrer(referrer ?? '');
    final link = (clipboard ?? '').trim();
    String? fromClipboard;
    if (link.length <= lengthLimit && RegExp(r'^[!-~]+$').hasMatch(link)) {
      final url = DeepLinkUrl(link);
      if (hosts.contains(url) && !url.authority!.contains('@')) fromClipboard = url.service.clickId;
    }
    return DeferredTraces._(
      fromReferrer == null ? null : referrer,
      fromClipboard == null ? null : link,
      fromReferrer ?? fromClipboard,
    );
  }

  final String? referrer;
  final String? clipboard;
  final String? clickId;

  /// The item `waymark` of Play's referrer. Some callers pass the referrer still percent-encoded.
  static String? _clickIdInReferrer(String referrer) {
    if (byteLength(referrer) > lengthLimit) return null;
    for (final text in [referrer, decodeWhole(referrer)]) {
      for (final item in text.split('&')) {
        final value = item.startsWith('waymark=') ? decodeWhole(item.substring(8), plusIsSpace: true) : '';
        if (value != '') return value;
      }
    }
    return null;
  }
}

import '../storage/client_storage.dart';
import '../storage/stored_value.dart';
import 'clock.dart';

/// A link that the app has received and whose target has not run yet.
class KeptLink {
  KeptLink({
    this.url,
    this.answer,
    this.match,
    this.clickId,
    this.error,
    required this.at,
    this.starts = 0,
    this.recorded = false,
    this.opened = false,
  });

  static KeptLink? read(Object? json) {
    if (json == null) return null;
    final members = json as Map<String, Object?>;
    return KeptLink(
      url: members['url'] as String?,
      answer: members['answer'] as Map<String, Object?>?,
      match: members['match'] as String?,
      clickId: members['clickID'] as String?,
      error: members['error'] as String?,
      at: members['at']! as int,
      starts: members['starts'] as int? ?? 0,
      recorded: members['recorded'] == true,
      opened: members['opened'] == true,
    );
  }

  /// The URL that the app was opened with; null for a deferred link.
  final String? url;

  /// The service's answer as it was received.
  Map<String, Object?>? answer;
  final String? match;
  final String? clickId;
  String? error;

  /// Unix time.
  int at;

  /// How often its target was started without having ended.
  int starts;
  bool recorded;
  bool opened;

  Map<String, Object?> get json => {
        if (url != null) 'url': url,
        if (answer != null) 'answer': answer,
        if (match != null) 'match': match,
        if (clickId != null) 'clickID': clickId,
        if (error != null) 'error': error,
        'at': at,
        'starts': starts,
        'recorded': recorded,
        'opened': opened,
      };
}

/// The two links that are kept: that of the installation, and the last other one.
class KeptPair {
  KeptPair(this.installation, this.current);

  KeptLink? installation;
  KeptLink? current;
}

/// Stores links until the person has seen them, at most 30 days.
class KeptLinks {
  KeptLinks(ClientStorage storage, this._clock) : _stored = StoredValue(storage, _form);

  static const _age = 30 * 86400;

  /// A link that ends the app whenever its target runs must not do so at every start.
  static const _startLimit = 3;

  static final _form = StoredForm<KeptPair>(
    name: 'links',
    read: (json) => KeptPair(KeptLink.read(json['installation']), KeptLink.read(json['current'])),
    json: (pair) => {
      if (pair.installation != null) 'installation': pair.installation!.json,
      if (pair.current != null) 'current': pair.current!.json,
    },
    merge: (stored, later) =>
        KeptPair(later.installation ?? stored.installation, later.current ?? stored.current),
  );

  final ClientClock _clock;
  final StoredValue<KeptPair> _stored;

  /// Changes the links; those that have expired are gone before.
  Future<Result> update<Result>(Result Function(KeptPair pair) change) => _stored.update((pair, _) {
        final now = _clock.seconds;
        final oldest = now - _age;
        for (final link in [pair.current, pair.installation]) {
          // The clock may have been wrong.
          if (link != null && link.at > now) link.at = now;
        }
        bool isGone(KeptLink? link) => link != null && (link.at < oldest || link.starts >= _startLimit);
        if (isGone(pair.current)) pair.current = null;
        final installation = pair.installation;
        if (isGone(installation) && !installation!.opened) end(installation);
        return change(pair);
      });

  /// The installation's link keeps route and parameters, without metadata.
  static void end(KeptLink installation) {
    final answer = installation.answer;
    if (answer != null) installation.answer = {...answer, 'metadata': null};
    installation.opened = true;
  }
}

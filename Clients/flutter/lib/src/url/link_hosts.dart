import 'deep_link_url.dart';

/// The hosts of an app's smart links, compared as a whole: without user and port, ignoring case.
class LinkHosts {
  LinkHosts(Iterable<String> names)
      : names = {
          for (final name in names)
            // An IPv6 address may lack its brackets.
            if (_isBareAddress.hasMatch(name))
              _comparable(name)
            else if ((DeepLinkUrl('//$name').host ?? '') != '')
              _comparable(DeepLinkUrl('//$name').host!),
        };

  static final _isBareAddress = RegExp(r'^[^[]*:.*:');

  final Set<String> names;

  /// Whether the URL is a web link on one of the hosts.
  bool contains(DeepLinkUrl url) => url.isWeb && names.contains(_comparable(url.host ?? ''));
}

/// Whether a host in lower case is the device itself: `localhost`, `::1` and 127.0.0.0/8 (RFC 1122, section
/// 3.2.1.3).
bool isLoopback(String host) =>
    host == 'localhost' ||
    host == '::1' ||
    RegExp(r'^127(\.[0-9]{1,3}){3}$').hasMatch(host) &&
        host.split('.').every((part) => int.parse(part) < 256);

String _comparable(String host) {
  final lower = host.toLowerCase();
  return isLoopback(lower) ? 'localhost' : lower;
}

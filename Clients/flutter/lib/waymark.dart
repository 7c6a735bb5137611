/// Waymark's client for Flutter apps on Android and iOS.
library waymark;

export 'core.dart';
export 'src/plugin/clipboard.dart';
export 'src/plugin/device.dart';
export 'src/plugin/waymark_app.dart';

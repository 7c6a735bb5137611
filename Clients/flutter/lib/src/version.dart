/// The version of this package, which is that of `pubspec.yaml`.
const version = '0.3.0-dev';

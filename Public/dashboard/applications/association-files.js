// Which association files an application has.

const KINDS = ["apple-app-site-association", "assetlinks.json"];

/**
 * The files of an application. A key without the scope `admin` learns its platforms, and the check
 * says whether they have files.
 *
 * @param {Application} application
 */
export function kindsOf({ ios, android, platforms }) {
  const has = platforms
    ? [platforms.includes("ios"), platforms.includes("android")]
    : [
        ios?.appIDs?.length || ios?.details?.length,
        android?.sha256CertFingerprints?.length || android?.apps?.length,
      ];
  return KINDS.filter((_, index) => has[index]);
}

// Values of examples.

/**
 * By the names of members.
 *
 * @type {Record<string, string | null>}
 */
export const SAMPLES = {
  domain: "go.example.com",
  slug: "summer",
  smartlink: "https://go.example.com/summer",
  app: "shop",
  id: "shop",
  name: "Summer",
  title: "Summer sale",
  key: "wm_…",
  link: "summer",
  code: "summer",
  file: "security.txt",
  url: "https://go.example.com/summer",
  web: "https://www.example.com/",
  cursor: null,
  source: "newsletter",
  clickId: "6f1c2a8d9b3e4f5061728394a5b6c7d8",
  packageName: "com.example.shop",
  bundleID: "com.example.shop",
  detail: "One field is not valid.",
};
/**
 * By formats of a schema.
 *
 * @type {Record<string, string>}
 */
export const FORMATS = {
  "date-time": "2026-11-26T12:00:00Z",
  date: "2026-11-26",
  uri: "https://www.example.com/",
  binary: "…",
};

// Types of the dashboard's modules, for `Scripts/check-dashboard` alone: what the API sends, as far
// as it is read, and what modules share. Browsers never load this file.

type Child = Node | string | number | null | undefined | false;
type Content = Child | Content[];
type Attribute = string | number | boolean | null | undefined | ((event: any) => void);
/** What makes an element of one kind, with attributes or without. */
type Make<Made> = {
  (attributes: Record<string, Attribute>, ...children: Content[]): Made;
  (...children: Content[]): Made;
};
type Makers<Elements> = { [Tag in keyof Elements]: Make<Elements[Tag]> };
type Shortcut = { key: string; text: string; run: () => void };
/** Query of an address; those without a value are left out. */
type Query = Record<string, string | null | undefined>;
type Name = { domain: string; slug: string };
/** A question that is asked before something happens; what `work` throws is shown in its dialog. */
type Question = {
  title: string;
  detail: string;
  action: string;
  work: () => Promise<void>;
  isHarmless?: boolean;
};

/** Shows a page; `rest` are the segments of its address after the first. */
type ShowPage = (main: HTMLElement, session: Session, rest: string[]) => void;
type Scope = "read" | "create" | "links" | "admin";
/**
 * Its module, and the scope that its requests need: none is for every key. `isForAll`: not for keys
 * of one application.
 */
type Page = { module: string; scope?: Scope; isForAll?: boolean };
type Membership = { app: string | null; role: string };
/** `person` is null in the session of a key. */
type Session = {
  name: string;
  app: string | null;
  scopes: string[];
  expiresAt: string;
  person?: { id: string; name: string } | null;
  memberships?: Membership[];
  /** There, and true, where the server shows a demonstration. */
  demo?: boolean;
};
type Person = {
  id: string;
  name: string;
  email: string | null;
  disabled: boolean;
  memberships: Membership[];
  identities: { issuer: string; subject: string }[];
  passkeys: { id: string; createdAt: string; usedAt: string | null }[];
  createdAt: string;
  signedInAt: string | null;
};
type Destination = string | { link: string; fallback?: string | null };
type Rule = { name?: string; when?: Record<string, any>; to: string | Record<string, Destination> };
type LinkState = "active" | "scheduled" | "expired" | "exhausted" | "disabled";
type VerifiedFinding = { as: string; code: string; message: string; url?: string };
/** The last check of a link; none where it was never checked. */
type Verified = { at: string; state: "good" | "broken" | "unknown"; findings: VerifiedFinding[] };
/** Values are null where they are from before they were stored. */
type LinkChange = {
  version: number;
  at: string;
  by: { id: string; name: string } | null;
  fields: string[];
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
};
type LinkHistory = { changes: LinkChange[]; cursor: string | null };
type Link = Name & {
  smartlink: string;
  app: string;
  route: string | null;
  routeParameters: Record<string, string>;
  urls: Record<string, Destination>;
  hasMetadata: boolean;
  redeemLimit: number;
  redeem: { limit: number | null; used: number; remaining: number | null };
  state: LinkState;
  disabled: boolean;
  validFrom: string | null;
  expiresAt: string | null;
  maxClicks: number | null;
  clicks: number;
  social: Record<string, string | null> | null;
  campaign: Record<string, string | null> | null;
  queryParameters: Record<string, string>;
  forwardQuery: boolean;
  importedClicks?: number;
  hasPassword?: boolean;
  rules?: Rule[];
  minimumVersion?: Record<string, string | null> | null;
  tags: string[];
  title: string | null;
  note: string | null;
  folder: string | null;
  managedBy: string | null;
  createdAt: string;
  updatedAt: string;
  aliases?: string[];
  verified?: Verified;
};
/** Clicks of people on each of some days, and the last one with a click. */
type RecentClicks = { people: number[]; lastClicked: string | null };
type Program = {
  id: string;
  name: string;
  scopes: string[];
  apps: string[] | null;
  allowedAt: string;
  lastUsedAt: string;
  expiresAt: string;
  endsAt: string;
};
type PlannedChange = {
  hash: string;
  links: number;
  apps: string[];
  change: string;
  rehearsal: { days: number; clicks: number; changed: number; undecidable: number } | null;
  plannedBy: string;
  plannedAt: string;
  expiresAt: string;
  confirmedBy: string | null;
};
type LinkList = {
  links: Link[];
  recentClicks?: { complete: boolean; links: RecentClicks[] };
  cursor: string | null;
  total?: number;
  totalIsLowerBound?: boolean;
};
type Stored = { link: Link; etag: string | null };

type Template = { name?: string | null; route: string; urls?: Record<string, Destination> | null };
/**
 * The whole document for the scope `admin`; for other keys `id`, `name`, `domains`, `routes`,
 * `platforms`, `urlSchemes` and `appearance`.
 */
type Application = {
  id: string;
  name?: string | null;
  domains?: string[] | null;
  baseURL?: string | null;
  templates?: Template[] | null;
} & Record<string, any>;
/** An editor of an application: the form, or the document as text. */
type ApplicationView = { element: HTMLElement; read: () => Application };
/** The check of an association file. */
type FileReport = { kind: string; findings: Finding[]; errors: number; isMissing?: boolean };
type Domain = {
  domain: string;
  app: string | null;
  certificate: { until: string; renewsAt: string | null } | null;
  problem: { detail: string } | null;
  association: Record<string, ServedFile> | null;
};
type AssociationFetch = { last: string; status: number; etag: string | null };
type ServedFile = {
  etag: string | null;
  since: string | null;
  fetches: { apple: AssociationFetch | null; google: AssociationFetch | null };
  devicesMayHoldOldUntil: string | null;
  pending: boolean;
};
type AuditParty = { id: string; name: string };
/** Values are those of configuration fields. */
type AuditEntry = {
  id: string;
  at: string;
  by: { via: string | null; person: AuditParty | null; key: AuditParty | null };
  action: string;
  object: { type: string; id: string | null };
  app: string | null;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  address: string | null;
};
type Key = {
  id: string;
  key?: string;
  name: string;
  app: string | null;
  scopes: string[];
  createdAt: string;
  expiresAt: string | null;
  lastUsedAt: string | null;
};

/** What a bar of a chart stands for. */
type Unit = "hour" | "day" | "week" | "month";
type Share = { value?: string | null; rest?: boolean; people: number; bots: number };
type Total = { people: number; bots: number; visitors: number | null };
type Interval = Total & { start: string; by?: Record<string, Share[]> };
type Clicks = {
  from: string;
  to: string;
  interval: "hour" | "day";
  complete: boolean;
  by: string[];
  total: Total;
  series: Interval[];
  top: Record<string, any[]>;
  compared?: { from: string; to: string; total: Total };
};

type Explanation = {
  link: Name | null;
  visitor: {
    platform: string;
    device: string;
    browser: string | null;
    bot: string | null;
    why: string[];
  };
  association: { opens: boolean | null; rule: string | null; why: string } | null;
  outcome: string;
  candidates: { source: string; url: string | null; taken: boolean; why: string }[];
  response: { status: number; headers: Record<string, string> };
  click: { counted: boolean; why: string };
};
type Finding = {
  code: string;
  severity: string;
  line: number | null;
  problem: string;
  mend: string;
};
type Import = {
  id: string;
  source: string;
  app: string;
  domain: string | null;
  dryRun: boolean;
  state: string;
  error: string | null;
  createdAt: string;
  endedAt: string | null;
  counts: Record<string, number>;
  fileBytes: number;
  fileBytesRead: number;
  reportComplete: boolean;
  notes: string[];
};
type Webhook = {
  id: string;
  url: string;
  app: string | null;
  events: string[];
  name: string | null;
  managedBy?: string | null;
  disabled: boolean;
  disabledReason: string | null;
  createdAt: string;
  failingSince: string | null;
  secret?: string;
};
type WebhookBody = { name?: string; url: string; events: string[]; app?: string };
type Attempt = {
  at: string;
  status: number | null;
  error: string | null;
  milliseconds: number;
  answer: string | null;
};
type Delivery = {
  id: string;
  type: string;
  at: string;
  state: "delivered" | "waiting" | "failed";
  nextAttemptAt: string | null;
  attempts: Attempt[];
};
type Deliveries = { deliveries: Delivery[]; cursor: string | null };
/** `isOurs` where the text is one of the dashboard, not of the server. */
type FieldError = { field: string; problem: string; isOurs?: boolean };
/** As of RFC 9457. */
type ProblemContent = {
  title?: string;
  detail?: string;
  status?: number;
  type?: string;
  errors?: FieldError[];
  /** Whether the detail is the server's own. */
  isEnglish?: boolean;
};

type Address = { segments: string[]; query: URLSearchParams };
type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
/** As `select` of the API. */
type LinkSelection = Record<string, string | string[]>;
/** The fields of a link's form. */
type Values = Record<string, string>;
type LinkBody = Record<string, unknown>;
/** Conversions of one value; sums by currency. */
type Group = { value: string | null; count: number; sums: Record<string, string> };
type SharedReport = { id: string; title: string; query: string; expiresAt: string };
type Row = { text: string; filter: string | null; href?: string; people: number; bots: number };
/**
 * The earlier period of a report: what each interval is compared with, and the change of each row
 * by field and filter.
 */
type Comparison = {
  partners: (Interval | undefined)[] | null;
  changes: Record<string, Map<string | null, Node>>;
  note: Node;
};
type ReportOptions = {
  /** The domain and slug of the link that it is about; none for all links. */
  link?: string;
  title: string | Node;
  /** What is shown where there are no clicks. */
  empty: () => Promise<Child> | Child;
  found?: (clicks: Clicks) => void;
  /** Shown below the numbers, and below the chart. */
  live?: () => Promise<Node>;
  attention?: Node;
};

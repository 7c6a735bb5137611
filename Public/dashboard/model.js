// What the API sends, as far as the dashboard reads it. Types only.

/** @typedef {{name: string, app: string | null, scopes: string[], expiresAt: string}} Session */
/** @typedef {string | {link: string, fallback?: string | null}} Destination */
/** @typedef {Record<string, Destination>} Destinations */
/** @typedef {"active" | "scheduled" | "expired" | "exhausted" | "disabled"} LinkState */

/**
 * @typedef {object} Link
 * @property {string} smartlink
 * @property {string} domain
 * @property {string} slug
 * @property {string} app
 * @property {string | null} route
 * @property {Record<string, string>} routeParameters
 * @property {Destinations} urls
 * @property {boolean} hasMetadata
 * @property {number} redeemLimit
 * @property {{limit: number | null, used: number, remaining: number | null}} redeem
 * @property {LinkState} state
 * @property {boolean} disabled
 * @property {string | null} validFrom
 * @property {string | null} expiresAt
 * @property {number | null} maxClicks
 * @property {number} clicks
 * @property {Record<string, string | null> | null} social
 * @property {Record<string, string | null> | null} campaign
 * @property {string[]} tags
 * @property {string | null} title
 * @property {string | null} note
 * @property {string} createdAt
 * @property {string} updatedAt
 */

/** @typedef {{links: Link[], cursor: string | null}} LinkList */
/** @typedef {{name?: string | null, route: string}} Template */
/** @typedef {{id: string, name?: string | null, domains?: string[] | null, templates?: Template[] | null}} Application */

/**
 * @typedef {object} Key
 * @property {string} id
 * @property {string} [key]
 * @property {string} name
 * @property {string | null} app
 * @property {string[]} scopes
 * @property {string} createdAt
 * @property {string | null} expiresAt
 * @property {string | null} lastUsedAt
 */

/** @typedef {{value?: string | null, rest?: boolean, people: number, bots: number}} Share */
/** @typedef {{start: string, people: number, bots: number, visitors: number | null, by?: Share[]}} Interval */

/**
 * @typedef {object} Clicks
 * @property {string} from
 * @property {string} to
 * @property {"hour" | "day"} interval
 * @property {{people: number, bots: number, visitors: number | null}} total
 * @property {Interval[]} series
 */

/**
 * @typedef {object} Explanation
 * @property {{platform: string, device: string, browser: string | null, bot: string | null, why: string[]}} visitor
 * @property {string} outcome
 * @property {{source: string, url: string | null, taken: boolean, why: string}[]} candidates
 * @property {{status: number, headers: Record<string, string>}} response
 * @property {{counted: boolean, why: string}} click
 */

/** @typedef {{field: string, problem: string}} FieldError */

export {};

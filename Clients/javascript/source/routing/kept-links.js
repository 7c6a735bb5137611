/** @typedef {import("../../waymark.js").ResolveAnswer} ResolveAnswer */
/**
 * @typedef {{ url?: string, answer?: ResolveAnswer, match?: string, clickID?: string | null,
 *     error?: string, at: number, starts: number, recorded: boolean, opened: boolean
 * }} KeptLink `url` is what the app was opened with; `at` is Unix time in seconds
 */
/** @typedef {"installation" | "current"} Slot */
/**
 * @typedef {{ installation?: KeptLink, current?: KeptLink, start?: string }} LinkSlots `start` is
 *     the click's URL that the app was last started with
 */

/**
 * A link as it is kept, and whether it is.
 *
 * @typedef {{
 *     slot: Slot, link: KeptLink, isStored: boolean, isUnresolved: boolean, triesRoute: boolean
 * }} LinkRecord `triesRoute`: `open` got it, so that an unknown link may be a route
 */

/** In seconds: what nobody saw for so long is of no use. */
const age = 30 * 86_400;

/** A target that ends the app at every start must not do so for 30 days. */
const startLimit = 3;

/** @type {import("../client/stored-value.js").StoredForm<LinkSlots>} */
const form = {
    name: "links",
    empty: "{}",
    read: ({ installation, current, start }) =>
        [installation, current].every(isLink)
            ? { installation, current, start: typeof start === "string" ? start : undefined }
            : null,
    merge: (stored, later) => ({
        installation: later.installation || stored.installation,
        current: later.current || stored.current,
        start: later.start || stored.start,
    }),
};

/**
 * What claims and openings have received, kept until a person has seen it: the installation's link
 * and the last other one. Without a client nothing is kept. A storage that fails never keeps a link
 * from opening.
 */
export class KeptLinks {
    /**
     * @param {import("../../waymark.js").WaymarkClient | null} client
     * @param {{ now(): number }} clock
     * @param {number} patience how long a storage may delay a link, in milliseconds
     */
    constructor(client, clock, patience) {
        this.update = client && client.stored ? client.stored(form) : null;
        this.clock = clock;
        this.patience = patience;
    }

    get now() {
        return Math.floor(this.clock.now() / 1_000);
    }

    /**
     * @param {Partial<KeptLink>} link
     * @param {Slot} [slot]
     * @param {boolean} [isStored]
     * @returns {LinkRecord}
     */
    record(link, slot = "current", isStored = false) {
        const given = { at: this.now, starts: 0, recorded: false, opened: false };
        return {
            slot,
            isStored,
            isUnresolved: false,
            triesRoute: true,
            link: Object.assign(given, link),
        };
    }

    /**
     * The result of the change; null if the storage fails or does not respond.
     *
     * @template Result
     * @param {(links: LinkSlots) => Result} change
     * @returns {Promise<Result | null>}
     */
    async change(change) {
        if (this.update === null) return null;
        /** @type {any} */
        let timer;
        const pause = new Promise((resolve) => {
            timer = setTimeout(resolve, this.patience, null);
        });
        const changed = this.update((links) => {
            this.expire(links);
            return change(links);
        }).catch(() => null);
        const result = await Promise.race([changed, pause]);
        clearTimeout(timer);
        return result;
    }

    /** @param {LinkSlots} links */
    expire(links) {
        const { now } = this;
        for (const link of [links.installation, links.current])
            if (link) link.at = Math.min(link.at, now);
        const isOld = (/** @type {KeptLink | undefined} */ link) =>
            link !== undefined && (now - link.at > age || link.starts >= startLimit);
        if (isOld(links.current)) links.current = undefined;
        if (links.installation && isOld(links.installation)) end(links.installation);
    }

    /**
     * @param {Slot} slot
     * @param {KeptLink} link
     */
    keep(slot, link) {
        return this.change((links) => {
            if (slot === "current" && links.current) takeOver(link, links.current);
            links[slot] = Object.assign({}, link);
        });
    }

    /**
     * The link that an earlier tap of the same URL has left with its answer; null if there is none.
     *
     * @param {KeptLink} link
     */
    earlier({ url }) {
        return this.change(({ current }) => {
            if (!current || current.url !== url || !current.answer) return null;
            return Object.assign({}, current, { answer: current.answer });
        });
    }

    /**
     * The target begins. A link that is not stored stays so.
     *
     * @param {Slot} slot
     * @param {KeptLink} link
     */
    start(slot, link) {
        return this.change((links) => {
            const stored = links[slot];
            if (!stored || !isSame(stored, link)) return;
            stored.starts += 1;
            stored.recorded = link.recorded;
        });
    }

    /**
     * The link has been seen, or another has replaced it.
     *
     * @param {Slot} slot
     * @param {KeptLink} link
     * @param {boolean} isLast whether no other was opened since, so that it replaces any other
     * @param {boolean} [hadMetadata] whether it was seen with its metadata. If not, those stay that
     *     came meanwhile or with an earlier tap.
     */
    end(slot, link, isLast, hadMetadata = true) {
        return this.change((links) => {
            if (slot === "installation") {
                if (links.installation) end(links.installation);
                return;
            }
            const { current } = links;
            if (!current) return;
            if (!hadMetadata && current.url === link.url && current.answer?.metadata) {
                // The target has ended.
                current.starts = 0;
                return;
            }
            if (isLast || isSame(current, link)) links.current = undefined;
        });
    }

    /**
     * The service has refused the link for good. An answer that came before is still to be shown.
     *
     * @param {KeptLink} link
     */
    dropUnanswered({ url }) {
        return this.change((links) => {
            if (links.current && links.current.url === url && !links.current.answer) {
                links.current = undefined;
            }
        });
    }

    /**
     * The link of the slot, unless it was opened.
     *
     * @param {Slot} slot
     */
    async pending(slot) {
        const link = await this.change((links) => links[slot]);
        return link && !link.opened ? Object.assign({}, link) : null;
    }
}

/** @param {KeptLink} link */
function end(link) {
    link.opened = true;
    if (link.answer) link.answer.metadata = null;
}

/**
 * A link that is opened again while it waits keeps what the service gave only once.
 *
 * @param {KeptLink} link
 * @param {KeptLink} earlier
 */
function takeOver(link, earlier) {
    const { answer } = link;
    if (link.url !== earlier.url || !earlier.answer) return;
    if (answer && (answer.metadata !== null || answer.redeem?.status !== "exhausted")) return;
    link.answer = answer
        ? Object.assign({}, answer, { metadata: earlier.answer.metadata })
        : earlier.answer;
    link.at = earlier.at;
    link.recorded = link.recorded || earlier.recorded;
}

/**
 * @param {KeptLink} first
 * @param {KeptLink} second
 */
function isSame(first, second) {
    return first.url === second.url && first.at === second.at;
}

/** @param {any} link */
function isLink(link) {
    if (link === undefined) return true;
    const { url, answer, at, starts } = link;
    const isObject = (/** @type {unknown} */ value) => typeof value === "object" && value !== null;
    const isAnswer =
        isObject(answer) && isObject(answer.routeParameters) && isObject(answer.queryParameters);
    return (
        Number.isInteger(at) && Number.isInteger(starts) && (isAnswer || typeof url === "string")
    );
}

import { DeepLinkURL } from "../url/deep-link-url.js";
import { DeeplinkingError } from "./deeplinking-error.js";
import { fromOlderService } from "./link-candidates.js";
import { OpeningOrder } from "./opening-order.js";
import { withinLimit } from "./opening-limit.js";

/** @typedef {import("../../routing.js").DeeplinkTarget} DeeplinkTarget */
/** @typedef {import("../../routing.js").DeeplinkFilter} DeeplinkFilter */
/** @typedef {import("../../routing.js").DeeplinkHandler} DeeplinkHandler */
/** @typedef {import("../../routing.js").DeeplinkingOptions} DeeplinkingOptions */
/** @typedef {import("../../routing.js").Opening} Opening */
/** @typedef {import("../../waymark.js").ResolveAnswer} ResolveAnswer */
/** @typedef {import("../../waymark.js").ClickReference} ClickReference */
/** @typedef {import("../../waymark.js").LinkDiagnostic} LinkDiagnostic */
/** @typedef {import("./deeplink.js").Deeplink} Deeplink */
/** @typedef {import("./kept-links.js").LinkRecord} LinkRecord */
/** @typedef {import("./link-candidates.js").Candidate} Candidate */

/**
 * What is known of links beside what the app sees.
 *
 * @type {WeakMap<Deeplink, LinkRecord>}
 */
export const records = new WeakMap();

/**
 * Opens links: asks the service where one leads, keeps what it answers, and runs filters, handlers
 * and the target. The last link wins.
 */
export class LinkOpener {
    /**
     * @param {DeeplinkingOptions} options
     * @param {{ now(): number }} clock
     * @param {import("./link-candidates.js").LinkCandidates} candidates
     * @param {import("./kept-links.js").KeptLinks} kept
     */
    constructor(options, clock, candidates, kept) {
        const { client = null } = options;
        this.candidates = candidates;
        this.kept = kept;
        this.dialect = candidates.routes.dialect;
        this.resolver = options.resolver || client;
        this.recorder = options.recorder || client;
        this.clock = clock;
        this.openingTimeLimit = kept.patience;
        this.onDiagnostic = options.onDiagnostic;
        /** @type {DeeplinkFilter[]} */
        this.filters = [];
        /** @type {DeeplinkHandler[]} */
        this.handlers = [];
        this.order = new OpeningOrder();
        /** The number of the link that waits for the service, until it is the current one. */
        this.waiting = -1;
        this.isRetrying = false;
        /** @type {Deeplink | null} */
        this.currentDeeplink = null;
    }

    get hasLink() {
        return this.currentDeeplink !== null || this.isWaiting;
    }

    /** Whether the last link waits for the service. */
    get isWaiting() {
        return this.order.isLast(this.waiting);
    }

    /**
     * @param {LinkDiagnostic["step"]} step
     * @param {Omit<LinkDiagnostic, "step">} [details]
     */
    report(step, details = {}) {
        try {
            if (this.onDiagnostic) this.onDiagnostic(Object.assign({ step }, details));
        } catch {
            // A log that fails must not keep a link from opening.
        }
    }

    /**
     * @param {any} error
     * @param {{ route?: string | null } | null} value
     * @param {string | null} [host]
     */
    reportOutcome(error, value, host = null) {
        if (error === null) return this.report("resolved", { host, route: value && value.route });
        this.report("resolveFailed", { host, status: error.status, error: error.code });
    }

    /** @returns {Opening} */
    notHandled() {
        this.report("notHandled");
        return { status: "notHandled", deeplink: null, error: null };
    }

    /**
     * @param {Candidate} candidate
     * @returns {Promise<Opening>}
     */
    async openCandidate(candidate) {
        const { deeplink, record } = candidate;
        if (!this.needsAnswer(candidate)) return this.perform(candidate);
        const number = (this.waiting = this.order.begin());
        const earlier = this.kept.earlier(record.link);
        this.report("resolving");
        const { inTime, mayNavigate, settled } = await this.wait(
            this.ask({ clickID: deeplink.clickID }, record, number),
        );
        if (inTime === null) this.report("late");
        else this.reportOutcome(inTime.error, inTime.value);
        const known = inTime && inTime.value ? null : await earlier;
        if (known && this.order.isLast(number)) {
            this.candidates.add(known.answer, deeplink);
            return this.openWithEarlierAnswer(candidate, known, mayNavigate);
        }
        this.addMetadata(candidate, inTime || { value: null, error: timedOut() });
        if (inTime === null) {
            void settled.then((outcome) => this.takeLateMetadata(candidate, outcome));
        }
        if (!this.order.isLast(number)) return this.superseded(deeplink);
        if (mayNavigate()) return this.perform(candidate, number);
        this.makeCurrent(candidate);
        await this.stay(record);
        return notOpened(deeplink);
    }

    /**
     * Whether the service has metadata for a link whose URL says where it leads.
     *
     * @param {Candidate} candidate
     */
    needsAnswer({ deeplink, target }) {
        return (
            deeplink.needsMetadata &&
            this.resolver !== null &&
            deeplink.clickID !== null &&
            (target !== null || this.dialect.keepsUnroutedDeeplink)
        );
    }

    /**
     * @param {Candidate} candidate
     * @param {import("./opening-limit.js").Outcome<ResolveAnswer>} outcome
     */
    addMetadata({ deeplink, record }, { value, error }) {
        deeplink.error = error;
        if (value !== null) this.candidates.add(value, deeplink);
        else record.link.error = codeOf(error);
    }

    /**
     * @param {Candidate} candidate
     * @param {import("./opening-limit.js").Outcome<ResolveAnswer>} outcome
     */
    takeLateMetadata(candidate, outcome) {
        this.reportOutcome(outcome.error, outcome.value);
        if (this.currentDeeplink !== candidate.deeplink) return;
        this.addMetadata(candidate, outcome);
        if (outcome.value !== null) this.report("kept");
    }

    /**
     * @param {DeepLinkURL} url of a smart link
     * @param {boolean} opensDefault whether the default route runs if it can't be resolved
     * @param {boolean} triesRoute whether an unknown link is tried as a route of the app
     * @returns {Promise<Opening>}
     */
    async resolveAndOpen(url, opensDefault, triesRoute) {
        const number = (this.waiting = this.order.begin());
        const { host } = url;
        const record = this.kept.record({ url: url.text });
        record.triesRoute = triesRoute;
        const earlier = this.kept.earlier(record.link);
        this.report("resolving", { host });
        const { inTime, mayNavigate, settled } = await this.wait(
            this.ask({ smartlink: url.text }, record, number),
        );
        const opens = () => opensDefault && mayNavigate();
        if (inTime === null) this.report("late", { host });
        else this.reportOutcome(inTime.error, inTime.value, host);
        const known = inTime && !isTransient(inTime.error) ? null : await earlier;
        if (known && this.order.isLast(number)) {
            return this.openWithEarlierAnswer(
                this.candidates.answered(known.answer, { smartlink: url.text }),
                known,
                mayNavigate,
            );
        }
        if (inTime === null) {
            const failing = this.fail(url, record, number, timedOut(), opens);
            void settled.then((outcome) => this.takeLate(url, record, number, outcome));
            return failing;
        }
        const { value: answer, error } = inTime;
        if (answer !== null) {
            const candidate = this.candidates.answered(answer, { smartlink: url.text, record });
            return this.order.isLast(number)
                ? this.perform(candidate, number)
                : this.superseded(candidate.deeplink);
        }
        const asRoute = triesRoute ? this.candidates.unknownAsRoute(url, error) : null;
        if (asRoute === null || !this.order.isLast(number)) {
            return this.fail(url, record, number, /** @type {Error} */ (error), opens);
        }
        this.report("unknownAsRoute", { host, route: asRoute.deeplink.route });
        return this.perform(asRoute, number);
    }

    /**
     * The answer that may still come says no more: it is not taken.
     *
     * @param {Candidate} candidate
     * @param {import("./kept-links.js").KeptLink} known the link that an earlier tap has left
     * @param {() => boolean} mayNavigate
     */
    async openWithEarlierAnswer(candidate, known, mayNavigate) {
        const { deeplink } = candidate;
        this.report("restored");
        const number = this.order.begin();
        const record = (candidate.record = this.kept.record(known, "current", true));
        if (mayNavigate()) return this.perform(candidate, number);
        this.makeCurrent(candidate);
        await this.stay(record);
        return notOpened(deeplink);
    }

    /**
     * Asks the service, and stores its answer before the request's idempotency key is removed.
     *
     * @param {ClickReference} reference
     * @param {LinkRecord} record
     * @param {number} number
     */
    async ask(reference, record, number) {
        if (this.resolver === null) throw noService();
        let isKept = false;
        const keep = async (/** @type {ResolveAnswer} */ answer) => {
            isKept = true;
            if (!this.order.isLast(number)) return;
            Object.assign(record.link, { answer, error: undefined });
            await this.store(record);
        };
        const answer = await this.resolver.resolve(reference, { keep });
        if (!isKept) await keep(answer);
        // With the metadata that an earlier opening of the link has received.
        return record.link.answer || answer;
    }

    /**
     * @template Value
     * @param {Promise<Value>} work
     */
    wait(work) {
        return withinLimit(work, this.openingTimeLimit, this.clock);
    }

    /**
     * A smart link that could not be resolved becomes the current one, with its error.
     *
     * @param {DeepLinkURL} url
     * @param {LinkRecord} record
     * @param {number} number
     * @param {Error} error
     * @param {() => boolean} opensDefault asked right before: a storage may have been slow
     * @returns {Promise<Opening>}
     */
    async fail(url, record, number, error, opensDefault) {
        if (!this.order.isLast(number)) return failed(error);
        const deeplink = this.candidates.unresolved(url, error);
        record.isUnresolved = true;
        this.makeCurrent({ deeplink, target: null, record, isByAnswer: false });
        await this.stayFailed(record, error);
        const target = this.candidates.defaultTarget;
        if (target !== null && this.order.isLast(number) && opensDefault()) {
            await this.run({ deeplink, target, record, isByAnswer: false }, number, false);
        }
        return { status: "failed", deeplink, error };
    }

    /**
     * What arrives after the time limit is for `openCurrentDeeplink`.
     *
     * @param {DeepLinkURL} url
     * @param {LinkRecord} record
     * @param {number} number
     * @param {import("./opening-limit.js").Outcome<ResolveAnswer>} outcome
     */
    async takeLate(url, record, number, { value: answer, error }) {
        this.reportOutcome(error, answer, url.host);
        const current = this.currentDeeplink;
        if (!this.order.isLast(number) || current === null || records.get(current) !== record) {
            return this.report("superseded");
        }
        const candidate =
            answer !== null
                ? this.candidates.answered(answer, { smartlink: url.text, record })
                : record.triesRoute
                  ? this.candidates.unknownAsRoute(url, error)
                  : null;
        if (candidate === null) {
            current.error = error;
            return this.stayFailed(record, /** @type {Error} */ (error));
        }
        record.isUnresolved = false;
        this.currentDeeplink = candidate.deeplink;
        records.set(candidate.deeplink, candidate.record);
        if (answer !== null) this.report("kept");
    }

    /**
     * @param {LinkRecord} record
     * @param {Error} error
     * @returns {Promise<unknown>}
     */
    async stayFailed(record, error) {
        if (!isTransient(error)) return this.kept.dropUnanswered(record.link);
        record.link.error = codeOf(error);
        await this.stay(record);
    }

    /** Asks again for the current link if it or its metadata has failed, and opens nothing. */
    async resolveAgain() {
        const deeplink = this.currentDeeplink;
        const record = deeplink && records.get(deeplink);
        if (
            !deeplink ||
            !record ||
            !isTransient(deeplink.error) ||
            this.isWaiting ||
            this.isRetrying
        ) {
            return;
        }
        this.isRetrying = true;
        await this.askAgain(deeplink, record);
        this.isRetrying = false;
    }

    /**
     * @param {Deeplink} deeplink
     * @param {LinkRecord} record
     */
    async askAgain(deeplink, record) {
        const number = this.order.last;
        if (!record.isUnresolved) {
            const candidate = this.candidates.again(deeplink, record);
            if (!this.needsAnswer(candidate)) return;
            this.report("resolving");
            const { settled } = await this.wait(
                this.ask({ clickID: deeplink.clickID }, record, number),
            );
            return this.takeLateMetadata(candidate, await settled);
        }
        const url = new DeepLinkURL(deeplink.openedURL || "");
        this.report("resolving", { host: url.host });
        const { settled } = await this.wait(this.ask({ smartlink: url.text }, record, number));
        await this.takeLate(url, record, number, await settled);
    }

    /** @param {LinkRecord} record */
    async stay(record) {
        await this.store(record);
        this.report("kept");
    }

    /**
     * Stores the current link until its target has run.
     *
     * @param {LinkRecord} record
     */
    async store(record) {
        record.isStored = true;
        await this.kept.keep(record.slot, record.link);
    }

    /**
     * @param {LinkRecord} record
     * @returns {Promise<Opening | null>}
     */
    async openKept(record) {
        const { slot, link } = record;
        this.report("restored");
        if (slot === "installation" && link.answer) {
            return this.perform(
                this.candidates.answered(link.answer, {
                    isDeferred: true,
                    clickID: link.clickID,
                    record,
                }),
            );
        }
        const { kind, url } = this.candidates.source.read(new DeepLinkURL(link.url || ""));
        const { service } = url.separatingServiceParameters();
        const wasAsked = link.answer !== undefined || link.error !== undefined;
        // The service was asked for metadata only, or by `openSmartlink` for a link of any host.
        const isSmartlink =
            kind === "smartlink" || (wasAsked && !(service.needsMetadata && service.clickID));
        if (link.answer && isSmartlink) {
            return this.perform(
                this.candidates.answered(link.answer, { smartlink: link.url, record }),
            );
        }
        if (isSmartlink) return this.resolveAndOpen(new DeepLinkURL(link.url || ""), false, true);
        const candidate = this.candidates.candidate(url, { record });
        if (!link.answer) return this.openCandidate(candidate);
        this.candidates.add(link.answer, candidate.deeplink);
        return this.perform(candidate);
    }

    /** @param {Deeplink} deeplink */
    superseded(deeplink) {
        this.report("superseded");
        return notOpened(deeplink);
    }

    /**
     * Makes the link the current one and runs filters, handlers and the target.
     *
     * @param {Candidate} candidate
     * @param {number} [number]
     * @returns {Promise<Opening>}
     */
    async perform(candidate, number) {
        const { deeplink, target, record } = candidate;
        if (target === null) {
            this.report("unrouted");
            const isDropped = !this.dialect.keepsUnroutedDeeplink;
            if (!isDropped) {
                if (number === undefined) this.order.begin();
                this.makeCurrent(candidate);
            } else if (number === this.waiting) {
                this.waiting = -1;
            }
            if (isDropped && record.isStored) await this.kept.end(record.slot, record.link, false);
            return notOpened(deeplink);
        }
        const own = number === undefined ? this.order.begin() : number;
        this.makeCurrent(candidate);
        return (await this.run(candidate, own, true))
            ? { status: "opened", deeplink, error: null }
            : notOpened(deeplink);
    }

    /**
     * Nothing is awaited that is not a promise: a link that needs none has opened when the call
     * returns.
     *
     * @param {Candidate} candidate
     * @param {number} number
     * @param {boolean} isShown whether the target shows the link, which then need not be kept
     */
    async run({ deeplink, target, record }, number, isShown) {
        // Filters and handlers may add or remove others; this link uses those registered when it
        // arrived.
        const { filters, handlers } = this;
        for (const filter of filters) {
            let passes = filter(deeplink);
            if (isPromise(passes)) {
                // A sign-in may take longer than the process lives.
                if (isShown) await this.store(record);
                passes = await passes;
            }
            if (!this.order.isLast(number)) return this.report("superseded");
            if (!passes) {
                this.report("heldBack", { route: deeplink.route });
                if (isShown) await this.stay(record);
                return false;
            }
        }
        for (const handler of handlers) void handler(deeplink);
        if (!this.order.isLast(number)) return this.report("superseded");
        if (record.isStored && isShown) {
            await this.kept.start(record.slot, record.link);
            if (!this.order.isLast(number)) return this.report("superseded");
        }
        // A late answer adds them.
        const hadMetadata = deeplink.metadata !== null;
        try {
            const running = /** @type {DeeplinkTarget} */ (target)(deeplink);
            if (isPromise(running)) await running;
            deeplink.wasOpened = true;
        } finally {
            if (isShown) {
                record.isStored = false;
                await this.kept.end(
                    record.slot,
                    record.link,
                    this.order.isLast(number),
                    hadMetadata,
                );
            }
        }
        this.report("opened", { route: deeplink.route });
        return true;
    }

    /** @param {Candidate} candidate */
    makeCurrent({ deeplink, record }) {
        this.waiting = -1;
        this.currentDeeplink = deeplink;
        records.set(deeplink, record);
        const isFromSmartlink =
            deeplink.clickID !== null ||
            deeplink.smartlink !== null ||
            fromOlderService.has(deeplink);
        if (!isFromSmartlink || this.recorder === null || record.link.recorded) return;
        record.link.recorded = true;
        void this.recorder.recordOpen(deeplink);
    }
}

export function noService() {
    return new DeeplinkingError("noService", "no connection to the service was given");
}

export function timedOut() {
    return new DeeplinkingError(
        "timedOut",
        "the service did not answer within the time limit for opening links",
    );
}

/** @param {any} error */
function codeOf(error) {
    return error.code || "unreachable";
}

/** @param {any} error */
export function isTransient(error) {
    return error !== null && error.isTransient !== false;
}

/**
 * @param {any} value
 * @returns {value is PromiseLike<any>}
 */
export function isPromise(value) {
    return typeof value === "object" && value !== null && typeof value.then === "function";
}

/**
 * @param {Deeplink} deeplink
 * @returns {Opening}
 */
export function notOpened(deeplink) {
    return { status: "notOpened", deeplink, error: null };
}

/**
 * @param {Error} error
 * @returns {Opening}
 */
export function failed(error) {
    return { status: "failed", deeplink: null, error };
}

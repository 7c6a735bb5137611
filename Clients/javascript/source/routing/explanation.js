import { DeepLinkURL } from "../url/deep-link-url.js";
import { isForApp } from "./link-source.js";

/** @typedef {import("../../routing.js").LinkExplanation} LinkExplanation */
/** @typedef {import("./link-source.js").SourceKind} SourceKind */
/** @typedef {SourceKind | "answerRoute" | "answerURL" | "unknownLink" | "failed"} Why */

const texts = {
    foreignScheme: "the router does not handle its scheme",
    tooLong: "it has more than 16,384 bytes",
    smartlink: "its host is one of the domains, so the service knows where it leads",
    lazyLink: "it contains its destination",
    otherHost: "its host is not one of the domains, so it is read as a link of the app",
    appLink: "it is a link of the app",
    answerRoute: "the service's answer names a mapped route",
    answerURL: "the service's answer names no mapped route, so its URL decides",
    unknownLink: "the service knows no such link, and the path is a route of the app",
    failed: "the service could not resolve it",
};

/**
 * What opening a URL would do, and why.
 *
 * @param {import("./deeplinking.js").Deeplinking} router
 * @param {string | { toString(): string }} text
 * @param {boolean} asksService
 * @returns {Promise<LinkExplanation>}
 */
export async function explain(router, text, asksService) {
    const { source, candidates } = router;
    const { resolver } = router.opener;
    const { kind, url } = source.read(new DeepLinkURL(text));
    if (!isForApp(kind)) return explanationOf("notHandled", kind);
    if (kind !== "smartlink") return routed(router, kind, candidates.candidate(url));
    if (!asksService || resolver === null) return explanationOf("resolves", kind);
    try {
        const answer = await resolver.resolve({ smartlink: url.text }, { redeem: false });
        const candidate = candidates.answered(answer, {});
        return routed(router, candidate.isByAnswer ? "answerRoute" : "answerURL", candidate);
    } catch (error) {
        const candidate = candidates.unknownAsRoute(url, error);
        if (candidate !== null) return routed(router, "unknownLink", candidate);
        return explanationOf(candidates.defaultTarget ? "opensDefault" : "nothing", "failed", {
            error: /** @type {{ code?: string }} */ (error).code || "unreachable",
        });
    }
}

/**
 * @param {import("./deeplinking.js").Deeplinking} router
 * @param {Why} why
 * @param {import("./link-candidates.js").Candidate} candidate
 */
function routed(router, why, { deeplink, target }) {
    const { route, routeParameters, openedURL } = deeplink;
    const { url } = new DeepLinkURL(openedURL || "").separatingServiceParameters();
    return explanationOf(route !== null ? "opens" : target ? "opensDefault" : "nothing", why, {
        url: openedURL,
        route,
        routeParameters,
        otherRoutes: router.routes.matches(url).filter((format) => format !== route),
    });
}

/**
 * @param {LinkExplanation["outcome"]} outcome
 * @param {Why} why
 * @param {Partial<LinkExplanation>} [members]
 * @returns {LinkExplanation}
 */
function explanationOf(outcome, why, members = {}) {
    const explanation = Object.assign(
        {
            outcome,
            why,
            url: null,
            route: null,
            routeParameters: {},
            otherRoutes: [],
            error: null,
            text: "",
        },
        members,
    );
    const { route, otherRoutes, error } = explanation;
    const does = {
        opens: `opens the route '${route}'`,
        opensDefault: "opens the default route",
        resolves: "asks the service",
        notHandled: "is not handled",
        nothing: "opens nothing, as no route matches and there is no default route",
    }[outcome];
    explanation.text =
        does +
        ", because " +
        texts[why] +
        (error === null ? "" : ` (${error})`) +
        (otherRoutes.length === 0 ? "" : "; also matching: " + otherRoutes.join(", "));
    return explanation;
}

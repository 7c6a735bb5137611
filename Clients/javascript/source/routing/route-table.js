import { comparable, segmentsOf } from "./dialect.js";

/** @typedef {import("../../routing.js").RoutingDialect} RoutingDialect */
/** @typedef {import("../url/deep-link-url.js").DeepLinkURL} DeepLinkURL */
/** @typedef {import("./route-format.js").RouteFormat} RouteFormat */

/**
 * @template Target
 * @typedef {{ format: RouteFormat, target: Target }} Entry
 */

/**
 * @template Target
 * @typedef {{
 *     literals: Map<string, Node<Target>>, variable: Node<Target> | null, entries: Entry<Target>[]
 * }} Node
 */

/**
 * Mapped routes: from left to right a literal precedes a variable; among formats of the same shape,
 * the one that sorts first. The cost of a match grows with the segments of the URL, not with the
 * number of routes.
 *
 * @template Target
 */
export class RouteTable {
    /** @param {RoutingDialect} dialect */
    constructor(dialect) {
        this.dialect = dialect;
        /** @type {Map<string, Entry<Target>>} */
        this.entries = new Map();
        /** @type {Node<Target>} */
        this.root = makeNode();
        this.depth = 0;
    }

    /**
     * Returns false, and changes nothing, if the route is already mapped.
     *
     * @param {RouteFormat} format
     * @param {Target} target
     */
    map(format, target) {
        const key = comparable(format.text, this.dialect);
        if (this.entries.has(key)) return false;
        const entry = { format, target };
        this.entries.set(key, entry);
        let node = this.root;
        for (const segment of format.segments) {
            const text = comparable(segment.text, this.dialect);
            let child = segment.isVariable ? node.variable : node.literals.get(text);
            if (!child) {
                child = makeNode();
                if (segment.isVariable) node.variable = child;
                else node.literals.set(text, child);
            }
            node = child;
        }
        node.entries.push(entry);
        node.entries.sort((left, right) => compare(left.format.text, right.format.text));
        this.depth = Math.max(this.depth, format.segments.length);
        return true;
    }

    /** @param {RouteFormat} format */
    has(format) {
        return this.entries.has(comparable(format.text, this.dialect));
    }

    /**
     * The target of the route with exactly this format.
     *
     * @param {string} format
     */
    target(format) {
        const entry = this.entries.get(comparable(format, this.dialect));
        return entry && entry.format.text === format ? entry.target : null;
    }

    /**
     * The first route that matches the URL.
     *
     * @param {DeepLinkURL} url
     */
    match(url) {
        const segments = segmentsOf(url, this.dialect);
        const entry = this.find(segments).next().value;
        if (segments === null || !entry) return null;
        /** @type {[string, string][]} */
        const parameters = [];
        entry.format.segments.forEach((segment, index) => {
            if (segment.isVariable) parameters.push([segment.text, segments[index]]);
        });
        return {
            format: entry.format,
            target: entry.target,
            parameters: Object.fromEntries(parameters),
        };
    }

    /**
     * The formats of all routes that match the URL, the first of which opens.
     *
     * @param {DeepLinkURL} url
     */
    matches(url) {
        return Array.from(this.find(segmentsOf(url, this.dialect)), ({ format }) => format.text);
    }

    /**
     * The routes that match, in order of priority. The nodes to visit are in an array rather than
     * on the stack: paths may be very long. Every node is visited once at most, so the cost is
     * bounded by the number of routes too.
     *
     * @param {string[] | null} segments
     * @returns {Generator<Entry<Target>, undefined>}
     */
    *find(segments) {
        if (segments === null || segments.length > this.depth) return;
        const path = segments.map((segment) => comparable(segment, this.dialect));
        const open = [{ node: this.root, depth: 0 }];
        for (let next = open.pop(); next; next = open.pop()) {
            const { node, depth } = next;
            if (depth === path.length) {
                yield* node.entries;
                continue;
            }
            // The one pushed last is visited first.
            if (node.variable) open.push({ node: node.variable, depth: depth + 1 });
            const literal = node.literals.get(path[depth]);
            if (literal) open.push({ node: literal, depth: depth + 1 });
        }
    }

    /** The formats in order of priority: fewer segments first, then as for one URL. */
    get formats() {
        return Array.from(this.entries.values(), (entry) => entry.format)
            .sort((left, right) => {
                if (left.segments.length !== right.segments.length) {
                    return left.segments.length - right.segments.length;
                }
                for (let index = 0; index < left.segments.length; index++) {
                    const isVariable = left.segments[index].isVariable;
                    if (isVariable !== right.segments[index].isVariable) return isVariable ? 1 : -1;
                }
                return compare(left.text, right.text);
            })
            .map((format) => format.text);
    }
}

/** @returns {Node<any>} */
function makeNode() {
    return { literals: new Map(), variable: null, entries: [] };
}

/**
 * The order of the bytes in UTF-8, which is that of code points; `<` compares UTF-16.
 *
 * @param {string} left
 * @param {string} right
 */
function compare(left, right) {
    const [a, b] = [Array.from(left), Array.from(right)];
    for (let index = 0; index < Math.min(a.length, b.length); index++) {
        const difference =
            /** @type {number} */ (a[index].codePointAt(0)) -
            /** @type {number} */ (b[index].codePointAt(0));
        if (difference !== 0) return difference;
    }
    return a.length - b.length;
}

// Metrics of the server, in Prometheus' text format.

/** The samples of a response of `/metrics`. */
export class Metrics {
  /** @type {Map<string, {labels: Record<string, string>, value: number}[]>} */
  #samples = new Map();

  /** @param {string} text */
  constructor(text) {
    for (const line of text.split("\n")) {
      const [, name, labels = "", value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      if (!name) continue;
      const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)];
      const sample = {
        labels: Object.fromEntries(pairs.map(([, label, text]) => [label, text])),
        value: Number(value),
      };
      this.#samples.set(name, [...(this.#samples.get(name) ?? []), sample]);
    }
  }

  /** @param {string} name */
  samples(name) {
    return this.#samples.get(name) ?? [];
  }

  /**
   * The sum over all labels; undefined where the server has no such metric.
   *
   * @param {string} name
   */
  sum(name) {
    const samples = this.#samples.get(name);
    return samples?.reduce((total, { value }) => total + value, 0);
  }
}

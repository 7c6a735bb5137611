// Changes many links at once: those that are selected, or all that match the filters.
import { announce, call, confirm, deleteLater, field, fromLocalInput, html, input, say, select, sendForm, texts } from "./base.js";

const t = texts.bulk;

/** @param {() => LinkSelection} selected @param {() => void} done */
export function bulkForm(selected, done) {
  const action = select("action", Object.entries(texts.bulkActions));
  const value = field(t.value, input("value"));
  const show = () => {
    value.hidden = !/Tags|expiresAt/.test(action.value);
    value.querySelector("input")?.setAttribute("type", action.value === "expiresAt" ? "datetime-local" : "text");
  };
  action.addEventListener("change", show);
  show();
  return sendForm(t.apply, async (values) => {
    const { matched, changed = matched } = await send(selected(), values, true);
    const removes = values.action === "delete";
    confirm({
      title: say(t.title, matched), detail: removes ? t.deleteDetail : say(t.detail, changed), action: removes ? texts.delete : t.apply,
      work: async () => {
        const select = selected();
        if (removes && Array.isArray(select.links)) {
          deleteLater(select.links, say(t.deleted, select.links.length), () => send(select, values, false));
          done();
          return;
        }
        const { changed, results } = await send(select, values, false);
        announce(say(t.done, changed));
        const failed = results.filter((/** @type {any} */ one) => one.problem);
        if (failed.length) throw new Error(say(t.failed, failed.length) + " " + failed.map((/** @type {any} */ one) => `${one.slug}: ${one.problem.detail ?? one.problem}`).join("; "));
        done();
      },
    });
  }, html.div({ class: "pair" }, field(t.action, action), value));
}

/** @param {LinkSelection} select @param {Record<string, string>} values @param {boolean} dryRun */
async function send(select, { action, value }, dryRun) {
  if (action === "delete") return (await call("POST", "/api/v1/links:delete", { body: { select, dryRun } })).content;
  const change = /Tags/.test(action) ? { [action]: value.split(",").map((tag) => tag.trim()) }
    : { patch: action === "expiresAt" ? { expiresAt: fromLocalInput(value) } : { disabled: action === "disable" } };
  return (await call("PATCH", "/api/v1/links:batch", { body: { select, ...change, dryRun } })).content;
}

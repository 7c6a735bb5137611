// The rules of a link as fields: one card for each, in their order. What has no field stays as it
// is and can be changed in the second tab, as JSON.
import { withScheme } from "../../frame/address.js";
import { announce } from "../../shared/announcement.js";
import { button, html, pair } from "../../shared/element.js";
import { field, input } from "../../shared/fields.js";
import { formatList, fromLocalInput, localInput } from "../../shared/formats.js";
import { PLATFORMS } from "../../shared/link-parts.js";
import { pageTexts } from "../../shared/page-texts.js";
import { formatText, texts } from "../../shared/texts.js";
import { valueName } from "../../shared/value-names.js";
import { rulesIn } from "./body.js";
import { conditions, destinations } from "../rules.js";
import { tabs } from "./tabs.js";

const ruleTexts = pageTexts.rules;
/** Characters of a name. */
const LONGEST = 64;
/** Conditions that have fields. */
const SHOWN = ["platform", "country", "language", "after", "before", "percentage"];

/**
 * What a card may do with the list that it is in.
 *
 * @typedef {object} RuleList
 * @property {() => void} changed  writes the rules down
 * @property {(from: number, to: number) => void} move
 * @property {(index: number) => void} remove
 * @property {() => number} count
 * @property {() => Rule[]} rules
 */

/** @param {string} text  the rules as JSON; empty for none */
export function rulesFields(text) {
  /** @type {Rule[]} */
  let rules = rulesIn(text) ?? [];
  const json = html.textarea(
    { name: "rules", rows: 10, class: "code", spellcheck: "false", autocapitalize: "none" },
    text,
  );
  const cards = html.ol({ class: "rule-cards" });
  const changed = () => {
    json.value = rules.length ? JSON.stringify(rules, null, 2) : "";
    json.dispatchEvent(new Event("input", { bubbles: true }));
  };
  /** @param {string} [focused]  selector of what gets the focus */
  const show = (focused) => {
    cards.replaceChildren(...rules.map((rule, index) => ruleCard(rule, index, list)));
    const target = focused && cards.querySelector(focused);
    if (target instanceof HTMLElement) target.focus();
  };
  /** @type {RuleList} */
  const list = {
    changed,
    count: () => rules.length,
    rules: () => rules,
    move: (from, to) => {
      if (to < 0 || to >= rules.length || from === to) return;
      rules.splice(to, 0, ...rules.splice(from, 1));
      changed();
      const way = to < from ? "up" : "down";
      const isEnd = to === 0 || to === rules.length - 1;
      const other = way === "up" ? "down" : "up";
      show(`li:nth-child(${to + 1}) .${isEnd && rules.length > 1 ? other : way}`);
      announce(formatText(ruleTexts.moved, to + 1, rules.length));
    },
    remove: (index) => {
      rules.splice(index, 1);
      changed();
      show();
      add.focus();
    },
  };
  const add = button(ruleTexts.add, () => {
    rules.push({ to: "" });
    changed();
    show("li:last-child .to");
  });
  show();
  const shown = html.div(cards, add);
  return html.details(
    { class: "fold", open: rules.length > 0 },
    html.summary(ruleTexts.title),
    html.p({ class: "soft" }, ruleTexts.caption),
    tabs(ruleTexts.title, [
      {
        title: ruleTexts.fields,
        panel: shown,
        open: () => {
          const read = rulesIn(json.value);
          if (read) {
            rules = read;
            show();
          }
          return Boolean(read);
        },
      },
      {
        title: "JSON",
        panel: html.div({ class: "rule-json" }, field(ruleTexts.json, json, ruleTexts.jsonHint)),
      },
    ]),
  );
}

/**
 * @param {Rule} rule
 * @param {number} index
 * @param {RuleList} list
 */
function ruleCard(rule, index, list) {
  const { platform, country, language, after, before, percentage } = rule.when ?? {};
  const others = Object.fromEntries(
    Object.entries(rule.when ?? {}).filter(([name]) => !SHOWN.includes(name)),
  );
  /**
   * @param {string} name
   * @param {unknown} value  none removes the condition
   */
  const set = (name, value) => {
    const { [name]: _, ...when } = rule.when ?? {};
    if (value) when[name] = value;
    if (Object.keys(when).length) rule.when = when;
    else delete rule.when;
    list.changed();
  };
  /**
   * @param {string} name
   * @param {"after" | "before"} member
   * @param {string} value
   */
  const time = (name, member, value) =>
    field(
      name,
      input("", localInput(value ?? null), {
        type: "datetime-local",
        step: 1,
        change: ({ target }) => set(member, fromLocalInput(target.value)),
      }),
    );
  const number = formatText(ruleTexts.numbered, index + 1);
  const card = html.li(
    {
      class: "rule-card",
      dragover: (event) => event.preventDefault(),
      drop: (event) => {
        event.preventDefault();
        list.move(Number(event.dataTransfer.getData("text/plain")), index);
      },
      keydown: (event) => {
        if (!event.altKey || !/^Arrow(Up|Down)$/.test(event.key)) return;
        event.preventDefault();
        list.move(index, index + (event.key === "ArrowUp" ? -1 : 1));
      },
    },
    html.div(
      { class: "rule-head" },
      html.span(
        {
          class: "handle",
          draggable: "true",
          title: ruleTexts.drag,
          dragstart: (event) => event.dataTransfer.setData("text/plain", String(index)),
        },
        "⠿ ",
        html.strong(number),
      ),
      button("↑", () => list.move(index, index - 1), {
        class: "plain up",
        disabled: index === 0,
        "aria-label": formatText(ruleTexts.up, number),
      }),
      button("↓", () => list.move(index, index + 1), {
        class: "plain down",
        disabled: index === list.count() - 1,
        "aria-label": formatText(ruleTexts.down, number),
      }),
      button(ruleTexts.remove, () => list.remove(index), {
        class: "plain apart",
        "aria-label": formatText(ruleTexts.removeOf, number),
      }),
    ),
    nameField(rule, list),
    platformBoxes(platform, (value) => set("platform", value)),
    pair(
      codesField("country", country, (value) => set("country", value)),
      codesField("language", language, (value) => set("language", value)),
    ),
    pair(
      time(ruleTexts.after, "after", after),
      time(ruleTexts.before, "before", before),
      field(
        ruleTexts.percentage,
        input("", String(percentage ?? ""), {
          type: "number",
          min: 1,
          max: 100,
          input: ({ target }) => set("percentage", Number(target.value)),
        }),
      ),
    ),
    Object.keys(others).length > 0 &&
      html.div({ class: "soft" }, ruleTexts.further, html.div(conditions(others))),
    destinationField(rule, list.changed),
  );
  return card;
}

/**
 * The name that reports show; without one they show the number.
 *
 * @param {Rule} rule
 * @param {RuleList} list
 */
function nameField(rule, list) {
  const control = input("", rule.name ?? "", {
    class: "rule-name",
    maxlength: LONGEST,
    input: () => {
      const name = control.value.trim();
      if (name) rule.name = name;
      else delete rule.name;
      list.changed();
      // A name that two rules share is wrong at both, until one has another.
      checkNames(control.closest(".rule-cards"));
    },
  });
  const nameField = field(texts.fields.name, control, ruleTexts.nameHint);
  control.addEventListener("check", () => {
    const problem = nameProblem(rule, list.rules());
    const error = nameField.querySelector(".error");
    if (error) error.textContent = problem;
    if (problem) control.setAttribute("aria-invalid", "true");
    else control.removeAttribute("aria-invalid");
  });
  return nameField;
}

/** @param {Element | null} element  that has the cards */
function checkNames(element) {
  const names = element?.querySelectorAll(".rule-name") ?? [];
  for (const name of names) name.dispatchEvent(new Event("check"));
}

/**
 * Whether the server will take the names of rules. The first one that is wrong gets the focus.
 *
 * @param {HTMLFormElement} form
 */
export function namesAreRight(form) {
  checkNames(form);
  const wrong = form.querySelector(".rule-name[aria-invalid]");
  if (wrong instanceof HTMLElement) wrong.focus();
  return !wrong;
}

/**
 * What is wrong with the name of a rule; nothing where it has none.
 *
 * @param {Rule} rule
 * @param {Rule[]} rules
 */
function nameProblem({ name }, rules) {
  if (name === undefined) return "";
  if (!name || name.length > LONGEST) return formatText(ruleTexts.nameLength, LONGEST);
  if (/^\d+$/.test(name)) return ruleTexts.nameDigits;
  if (["none", "(rest)"].includes(name) || name.startsWith("app/")) return ruleTexts.nameTaken;
  return rules.filter((rule) => rule.name === name).length > 1 ? ruleTexts.nameTwice : "";
}

/**
 * @param {string | string[] | undefined} value
 * @param {(value: string | string[] | null) => void} set
 */
function platformBoxes(value, set) {
  const chosen = new Set([value ?? []].flat());
  return html.fieldset(
    html.legend(texts.clickFields.platform),
    PLATFORMS.map((platform) =>
      html.label(
        { class: "inline" },
        html.input({
          type: "checkbox",
          class: "mark",
          value: platform,
          checked: chosen.has(platform),
          change: ({ target }) => {
            if (target.checked) chosen.add(platform);
            else chosen.delete(platform);
            set(oneOrMore([...chosen]));
          },
        }),
        texts.platforms[platform],
      ),
    ),
  );
}

/**
 * A field for codes, such as “DE, AT”, and their names.
 *
 * @param {"country" | "language"} name
 * @param {string | string[] | undefined} value
 * @param {(value: string | string[] | null) => void} set
 */
function codesField(name, value, set) {
  const names = html.small({ class: "soft" });
  /** @param {string[]} codes */
  const show = (codes) => {
    names.textContent = formatList(codes.map((code) => valueName(name, code)));
  };
  const codes = [value ?? []].flat();
  const control = input("", codes.join(", "), {
    placeholder: name === "country" ? "DE, AT" : "de, en",
    input: () => {
      const typed = control.value.split(/[\s,;]+/).filter(Boolean);
      const written = typed.map((code) => (name === "country" ? code.toUpperCase() : code));
      set(oneOrMore(written));
      show(written);
    },
  });
  show(codes);
  const codesField = field(texts.clickFields[name], control);
  codesField.append(names);
  return codesField;
}

/** @param {string[]} values */
const oneOrMore = (values) => (values.length > 1 ? values : (values[0] ?? null));

/**
 * @param {Rule} rule
 * @param {() => void} changed
 */
function destinationField(rule, changed) {
  if (typeof rule.to !== "string") {
    return html.div(
      html.strong(ruleTexts.to),
      html.div(destinations(rule.to)),
      html.small({ class: "soft" }, ruleTexts.toByPlatform),
    );
  }
  const control = input("", rule.to, {
    class: "to",
    type: "url",
    inputmode: "url",
    placeholder: "https://www.example.com/",
    input: () => {
      rule.to = withScheme(control.value.trim());
      changed();
    },
    change: () => {
      control.value = withScheme(control.value.trim());
    },
  });
  return field(ruleTexts.to, control);
}

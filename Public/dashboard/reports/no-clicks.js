// What the overview says where no link has clicks, and the form of the first link.
import { go, hash, linkHash, withScheme } from "../frame/address.js";
import { may } from "../frame/session.js";
import { announce } from "../shared/announcement.js";
import { applications, call, get } from "../shared/api.js";
import { anchor, html } from "../shared/element.js";
import { field, input } from "../shared/fields.js";
import { sendForm } from "../shared/forms.js";
import { emptyNotice } from "../shared/pane.js";
import { formatText, texts } from "../shared/texts.js";

const overviewTexts = texts.overview;

/** @param {Session} session */
export async function noClicks(session) {
  const [{ links }, apps] = await Promise.all([get("/api/v1/links?limit=1"), applications()]);
  if (links.length) {
    return emptyNotice(
      texts.clicks.none,
      texts.clicks.noneDetail,
      html.a({ class: "button", href: linkHash(links[0]) }, overviewTexts.newest),
    );
  }
  const start = emptyNotice(overviewTexts.first, overviewTexts.firstDetail);
  if (!may(session, "create")) return start;
  if (apps.length > 1) {
    start.append(html.a({ class: "button", href: hash(["new"]) }, texts.links.create));
  } else {
    start.append(firstLink());
  }
  if (may(session, "links")) start.append(html.p(anchor(hash(["import"]), overviewTexts.orImport)));
  return start;
}

function firstLink() {
  return sendForm(
    texts.form.submit,
    async (values) => {
      const urls = { web: withScheme(values["urls.web"].trim()) };
      const { content } = await call("POST", "/api/v1/links", { body: { urls } });
      announce(formatText(texts.form.created, content.smartlink));
      go(linkHash(content));
    },
    field(
      texts.form.destination,
      input("urls.web", "", {
        type: "url",
        inputmode: "url",
        required: true,
        placeholder: "https://www.example.com/",
      }),
    ),
  );
}

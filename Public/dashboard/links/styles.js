// Loads the styles of the pages about links, which the first page does without.
import { html } from "../shared/element.js";

await new Promise((done) => {
  const href = new URL("links.css", import.meta.url);
  document.head.append(
    html.link({ rel: "stylesheet", href: String(href), load: done, error: done }),
  );
});

// The page of an address that no page has.
import { anchor } from "../shared/element.js";
import { pageTexts } from "../shared/page-texts.js";
import { emptyNotice } from "../shared/pane.js";
import { texts } from "../shared/texts.js";
import { hash } from "./address.js";
import { menu } from "./pages.js";

/** @type {ShowPage} */
export function show(main) {
  const [name, title] = menu()[0];
  main.append(
    emptyNotice(texts.unknownPage, pageTexts.unknownPageDetail, anchor(hash([name]), title)),
  );
}

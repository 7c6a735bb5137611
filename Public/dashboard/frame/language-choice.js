// The choice of a language.
import { announce } from "../shared/announcement.js";
import { html } from "../shared/element.js";
import { chooseLanguage, language, LANGUAGES } from "../texts/language.js";
import { texts } from "../shared/texts.js";

export const languageChoice = () =>
  html.select(
    {
      name: "language",
      "aria-label": texts.language,
      change: ({ target }) => {
        if (!chooseLanguage(target.value)) announce(texts.keyboard.notKept);
      },
    },
    Object.entries(LANGUAGES).map(([name, title]) =>
      html.option({ value: name, lang: name, selected: name === language }, title),
    ),
  );

import { catalogue, type Language, languageOf } from "../src/catalogue.js"
import type { Labels } from "../src/Labels.js"

/** The widget's words and how it writes times and numbers. */
export interface Locale {
  readonly language: Language
  readonly labels: Labels
}

/**
 * The locale of a language tag that the page gives, else of the browser. Labels of the connection apply to all
 * languages.
 */
export const makeLocale = (given: string | undefined, labels: Partial<Labels>): Locale => {
  const language = languageOf([...(given ? [given] : []), ...navigator.languages])
  return { language, labels: { ...catalogue[language], ...labels } }
}

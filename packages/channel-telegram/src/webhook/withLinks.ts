import { type Fields, textIn } from "./fields.js"

/** The text, with a line for each address that is only behind a word of it (`text_link`). */
export const withLinks = (text: string, entities: ReadonlyArray<Fields>): string => {
  if (entities.length === 0) return text
  const hidden = new Set<string>()
  for (const entity of entities) {
    const url = entity.type === "text_link" ? textIn(entity, "url") : null
    if (url !== null && !text.includes(url)) hidden.add(url)
  }
  return [text, ...[...hidden].map((url) => `(${url})`)].join("\n")
}

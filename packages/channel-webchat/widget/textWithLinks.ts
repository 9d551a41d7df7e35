import { element } from "./element.js"

/** A web or mail address; marks that end a sentence or enclose it are not part of it. */
const address = /https?:\/\/[^\s<>"]+|[^\s<>"@:;,()]+@[^\s<>"@:;,()]+\.[a-z]{2,}/gi

/** The text, with its addresses as links. Other schemes never become links. */
export const textWithLinks = (text: string): ReadonlyArray<Node | string> => {
  const parts: Array<Node | string> = []
  let end = 0
  for (const { 0: found, index } of text.matchAll(address)) {
    const shown = found.replace(/[.,;:!?'")\]]+$/, "")
    const href = /^https?:/i.test(shown) ? shown : `mailto:${shown}`
    parts.push(
      text.slice(end, index),
      element("a", { href, target: "_blank", rel: "noopener noreferrer nofollow" }, shown)
    )
    end = index + shown.length
  }
  return [...parts, text.slice(end)]
}

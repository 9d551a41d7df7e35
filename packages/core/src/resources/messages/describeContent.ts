import type { MessageContent } from "../../model/MessageContent.js"

/** The readable text of content, for `body` (docs/reference/content.md#readable-text). Empty for no content. */
export const describeContent = (content: MessageContent | null): string => {
  switch (content?.type) {
    case undefined:
    case "edit":
    case "template":
      return ""
    case "location": {
      const { address, latitude, longitude, name } = content
      return lines(name, address, `${latitude}, ${longitude}`)
    }
    case "contacts":
      return content.contacts
        .map(({ emails, name, organization, phones }) => lines(name, organization, ...phones, ...emails))
        .join("\n\n")
    case "choices":
      return lines(...content.options.map(({ title }, index) => `${index + 1}. ${title}`))
    case "choice":
      return content.title
    case "form":
      return lines(
        content.name,
        ...Object.entries(content.answers).map(
          ([field, answer]) => `${field}: ${typeof answer === "string" ? answer : JSON.stringify(answer)}`
        )
      )
    case "order":
      return lines(
        ...content.items.map(({ currency, name, price, product, quantity }) => {
          const cost = price === null ? "" : `, ${price}${currency === null ? "" : ` ${currency}`}`
          return `${quantity} × ${name ?? product}${cost}`
        })
      )
    case "reaction":
      return content.emoji ?? "Reaction removed"
    case "deletion":
      return "Message deleted"
    case "system":
      return content.event
    case "unsupported":
      return `Unsupported content: ${content.kind}`
  }
}

const lines = (...texts: ReadonlyArray<string | null>): string =>
  texts.filter((text) => text !== null && text !== "").join("\n")

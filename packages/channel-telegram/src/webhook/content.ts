import { type Fields, fieldsOf, lines, listIn, numberIn, textIn } from "./fields.js"
import { filesOf } from "./files.js"
import { orderOf } from "./orderOf.js"
import type { ReadContent } from "./ReadContent.js"
import { nameOf } from "./Sender.js"
import { systemEvents, systemText } from "./systemEvents.js"
import { unsupportedOf } from "./unsupportedOf.js"
import { withLinks } from "./withLinks.js"

/**
 * The content of a message (docs/reference/telegram.md#message-contents). The first kind that can be read counts; a
 * message of no known kind is `unsupported`.
 */
export const contentOf = (message: Fields): ReadContent => {
  if (typeof message.text === "string") return plain(withLinks(message.text, listIn(message, "entities")))
  const caption = withLinks(textIn(message, "caption") ?? "", listIn(message, "caption_entities"))
  const attachments = filesOf(message)
  if (attachments.length > 0) return { body: caption, content: null, attachments }
  return (
    locationOf(message) ??
    contactOf(message) ??
    formOf(message) ??
    orderOf(message) ??
    noticeOf(message) ??
    unsupportedOf(message, caption)
  )
}

const plain = (body: string): ReadContent => ({ body, content: null, attachments: [] })

const locationOf = (message: Fields): ReadContent | null => {
  const venue = fieldsOf(message.venue)
  const place = fieldsOf(venue.location ?? message.location)
  const latitude = numberIn(place, "latitude")
  const longitude = numberIn(place, "longitude")
  if (latitude === null || longitude === null) return null
  const name = textIn(venue, "title")
  const address = textIn(venue, "address")
  return {
    body: lines(name, address, `${latitude}, ${longitude}`),
    content: { type: "location", latitude, longitude, name, address, url: null },
    attachments: []
  }
}

const contactOf = (message: Fields): ReadContent | null => {
  const contact = fieldsOf(message.contact)
  const phone = textIn(contact, "phone_number")
  const name = nameOf(contact)
  if (phone === null && name === null) return null
  const phones = phone === null ? [] : [phone]
  return {
    body: lines(name, phone),
    content: { type: "contacts", contacts: [{ name: name ?? phone ?? "", organization: null, phones, emails: [] }] },
    attachments: []
  }
}

/** The data of a Web App that a keyboard button opened. */
const formOf = (message: Fields): ReadContent | null => {
  const form = fieldsOf(message.web_app_data)
  const data = textIn(form, "data")
  if (data === null) return null
  const name = textIn(form, "button_text")
  return { body: lines(name, data), content: { type: "form", name, answers: answersOf(data) }, attachments: [] }
}

/** The fields of a JSON object; other data as one answer. */
const answersOf = (data: string): Fields => {
  try {
    const answers: unknown = JSON.parse(data)
    if (typeof answers === "object" && answers !== null && !Array.isArray(answers)) return answers as Fields
  } catch {
    // Not JSON.
  }
  return { data }
}

const noticeOf = (message: Fields): ReadContent | null => {
  const event = systemEvents.find((name) => message[name] !== undefined)
  return event === undefined
    ? null
    : { body: systemText(event, message[event]), content: { type: "system", event }, attachments: [] }
}

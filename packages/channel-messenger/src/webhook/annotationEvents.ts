import { InboundEvent, type MessageContent } from "@parley/core"
import { fieldsOf, numberOf, textOf, unknownEvent } from "@parley/provider-kit"
import { eventId } from "../eventId.js"
import type { Happening } from "./Happening.js"
import { referralOf } from "./referralOf.js"

type Message = Extract<InboundEvent, { readonly _tag: "Message" }>

const said = (
  { at, sender }: Happening,
  message: Pick<Message, "providerMessageId" | "body" | "quoted" | "referral" | "opensWindow"> & {
    readonly content: MessageContent
  }
): ReadonlyArray<InboundEvent> => [
  InboundEvent.Message({
    ...message,
    from: sender,
    ...(at === null ? {} : { at }),
    subject: null,
    displayName: null,
    attachments: [],
    automatic: false
  })
]

/**
 * The events of a `reaction`. Meta gives it no id: customer, message, time and action identify it. It opens the service
 * window, unless it is taken back.
 */
export const reactionEvents = (value: unknown, happening: Happening): ReadonlyArray<InboundEvent> => {
  const { action, emoji, mid, reaction } = fieldsOf(fieldsOf(value).reaction)
  const target = textOf(mid)
  if (target === null) return [unknownEvent("reaction", value)]
  const shown = action === "unreact" ? null : (textOf(emoji) ?? textOf(reaction))
  return said(happening, {
    providerMessageId: eventId("reaction", happening.at ?? "", textOf(action) ?? "", target),
    body: shown ?? "Reaction removed",
    content: { type: "reaction", emoji: shown },
    opensWindow: shown !== null,
    quoted: { providerMessageId: target }
  })
}

/** The events of a `message_edit`: the new text of a customer's message. */
export const editEvents = (value: unknown, happening: Happening): ReadonlyArray<InboundEvent> => {
  const { mid, num_edit, text } = fieldsOf(fieldsOf(value).message_edit)
  const target = textOf(mid)
  if (target === null) return [unknownEvent("message_edit", value)]
  return said(happening, {
    providerMessageId: eventId("edit", numberOf(num_edit) ?? happening.at ?? "", target),
    body: textOf(text) ?? "",
    content: { type: "edit" },
    quoted: { providerMessageId: target }
  })
}

/**
 * The events of a `referral`: a link or advertisement brought the customer back to the conversation. A link opens the
 * service window; an advertisement does not until the customer writes.
 */
export const referralEvents = (value: unknown, happening: Happening): ReadonlyArray<InboundEvent> => {
  const referral = referralOf(fieldsOf(value).referral)
  if (referral === null || happening.at === null) return [unknownEvent("referral", value)]
  return said(happening, {
    providerMessageId: eventId("referral", happening.sender, happening.at),
    body: `Came by ${referral.source}${referral.ref === null ? "" : `: ${referral.ref}`}`,
    content: { type: "system", event: "referral" },
    opensWindow: isLink(referral.source),
    referral
  })
}

/** Whether a referral's source is a link to the conversation: `m.me` or `ig.me`. */
const isLink = (source: string): boolean => source === "shortlink" || source === "igme-source-link"

/** The events of an `optin`, such as a checkbox on the business's site. */
export const optInEvents = (value: unknown, happening: Happening): ReadonlyArray<InboundEvent> => {
  const { payload, ref, title, type } = fieldsOf(fieldsOf(value).optin)
  if (happening.at === null) return [unknownEvent("optin", value)]
  const about = textOf(title) ?? textOf(ref) ?? textOf(payload) ?? textOf(type)
  return said(happening, {
    providerMessageId: eventId("optin", happening.sender, happening.at),
    body: about === null ? "Opted in" : `Opted in: ${about}`,
    content: { type: "system", event: "optin" }
  })
}

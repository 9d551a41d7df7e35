import type { ProviderRequest } from "@parley/core"
import { type Account, messengerEntry, messengerWebhook, type OptionPress, type VendorEvent } from "@parley/testkit"

import { commentOfAction, fieldsOfAction } from "./actions.js"
import { itemElsewhere } from "./elsewhere.js"

/** How Meta puts several events into one request. */
export const layouts = ["entries", "messagings"] as const

interface Happened {
  readonly messaging: ReadonlyArray<unknown>
  /** What stands beside in the entry. */
  readonly more: { readonly [field: string]: ReadonlyArray<unknown> }
}

const reported = (...messaging: ReadonlyArray<unknown>): Happened => ({ messaging, more: {} })

const at = 1_790_000_000_000

const from = (id: string, account: string, fields: object, timestamp = at): object => ({
  sender: { id },
  recipient: { id: account },
  timestamp,
  ...fields
})

type UnknownEvent = Extract<VendorEvent, { readonly _tag: "Unknown" }>

/** Unknown content by name. */
const unknowns: { readonly [what: string]: (event: UnknownEvent, account: string) => Happened } = {
  "a message to another app": ({ from: customer, mark, number }, account) => ({
    messaging: [],
    more: { standby: [from(customer, account, { message: { mid: `m_${number}`, text: mark } })] }
  }),
  "a post on a Page": ({ mark }) => ({
    messaging: [],
    more: { changes: [{ field: "feed", value: { item: "status", verb: "add", message: mark } }] }
  })
}

export const unknown: ReadonlyArray<string> = Object.keys(unknowns)

/** Meta's request for an account, signed with the secret that it is given with. */
export const vendorRequest = (
  { connection, credentials }: Account,
  events: ReadonlyArray<VendorEvent>,
  layout: string | null
): ProviderRequest => {
  const isInstagram = connection.channel === "instagram"
  const account = accountIdOf(connection)
  const all = events.map((event) => happenedTo(event, account, isInstagram))
  return messengerWebhook(
    { appSecret: String(credentials?.app_secret) },
    isInstagram ? "instagram" : "page",
    (layout === "messagings" ? [together(all)] : all).map(({ messaging, more }) =>
      messengerEntry(account, messaging, more)
    )
  )
}

const accountIdOf = ({ channel, config }: Account["connection"]): string =>
  String(channel === "instagram" ? config.instagram_account_id : config.page_id)

/** Meta's request with a pressed quick reply, which does not name its question. */
export const pressRequest = (
  { connection, credentials }: Account,
  { at, from: customer, number, option }: OptionPress
): ProviderRequest => {
  const account = accountIdOf(connection)
  const message = { mid: `m_press-${number}`, text: option.title, quick_reply: { payload: option.id } }
  return messengerWebhook(
    { appSecret: String(credentials?.app_secret) },
    connection.channel === "instagram" ? "instagram" : "page",
    [messengerEntry(account, [from(customer, account, { message }, at)], {})]
  )
}

const together = (all: ReadonlyArray<Happened>): Happened => {
  const more: { [field: string]: ReadonlyArray<unknown> } = {}
  for (const one of all) {
    for (const [field, items] of Object.entries(one.more)) more[field] = [...(more[field] ?? []), ...items]
  }
  return { messaging: all.flatMap(({ messaging }) => messaging), more }
}

const happenedTo = (event: VendorEvent, account: string, isInstagram: boolean): Happened => {
  switch (event._tag) {
    case "Message": {
      const message = { mid: `m_in-${event.number}`, text: event.text }
      return reported(from(event.from, account, { message }, event.at))
    }
    case "Receipt":
      return reported(receipt(event, account))
    case "Watermark": {
      const fields = isInstagram ? {} : { [event.status === "read" ? "read" : "delivery"]: { watermark: event.upTo } }
      return reported(from(event.handle, account, fields, event.upTo))
    }
    case "Unknown":
      return unknowns[event.what]?.(event, account) ?? reported()
    case "Action": {
      const of = { account, at: event.at, customer: event.from, number: event.number }
      const elsewhere = itemElsewhere(event.what, of)
      if (elsewhere !== null) return reported(elsewhere)
      const comment = commentOfAction(event.what, of)
      if (comment !== null) return { messaging: [], more: { changes: [comment] } }
      return reported(from(event.from, account, fieldsOfAction(event.what, event.number), event.at + event.number))
    }
  }
}

const receipt = (event: Extract<VendorEvent, { readonly _tag: "Receipt" }>, account: string): object => {
  const { at, messageId, providerMessageId: mid, status, to } = event
  switch (status) {
    case "sent":
      return from(account, to, { message: { mid, text: "…", is_echo: true, app_id: 7, metadata: messageId } }, at)
    case "delivered":
      return from(to, account, { delivery: { mids: [mid], watermark: at } }, at)
    case "read":
      return from(to, account, { read: { mid } }, at)
    case "failed":
      throw new Error("Messenger reports no failures")
  }
}

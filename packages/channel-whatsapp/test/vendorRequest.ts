import type { Instant, ProviderRequest } from "@parley/core"
import {
  type Account,
  type OptionPress,
  type VendorEvent,
  whatsAppChange,
  whatsAppEntry,
  whatsAppWebhook
} from "@parley/testkit"

import { messageOf } from "./actions.js"
import { changeElsewhere } from "./elsewhere.js"

/** The layouts of several events in one request. */
export const layouts = ["entries", "changes", "items"] as const

/** Unknown content by name. */
const unknowns: { readonly [what: string]: (number: number, mark: string, from: string) => Value } = {
  "a message without a sender": (number, mark) => ({
    messages: [{ id: `wamid.in-${number}`, timestamp: "1790000000", type: "text", text: { body: mark } }]
  }),
  "a status of a new kind": (number, mark, from) => ({
    statuses: [{ id: `wamid.${mark}`, status: "played", timestamp: String(number), recipient_id: from }]
  }),
  "errors of a number": (_number, mark) => ({ errors: [{ code: 130429, title: mark }] })
}

export const unknown: ReadonlyArray<string> = [...Object.keys(unknowns), "a change of another field"]

type Value = { readonly [field: string]: ReadonlyArray<unknown> }

/** Meta's request for an account, signed with the given secret. */
export const vendorRequest = (
  { connection, credentials }: Account,
  events: ReadonlyArray<VendorEvent>,
  layout: string | null
): ProviderRequest => {
  const business = businessOf({ connection, credentials })
  const change = (value: Value) => whatsAppChange(business, value)
  const changes =
    layout === "items"
      ? itemised(events).map((value) => change(value))
      : events.map((event) => {
          if (isOtherField(event)) return otherField(event)
          const elsewhere = event._tag === "Action" ? changeElsewhere(event.what, event.number, event.from) : null
          return elsewhere === null
            ? change(changeValue(event))
            : whatsAppChange(business, elsewhere.value, elsewhere.field)
        })
  return whatsAppWebhook(
    business,
    layout === "entries"
      ? changes.map((one) => whatsAppEntry(business, [one]))
      : [
          whatsAppEntry(
            business,
            layout === "items" ? [...changes, ...events.filter(isOtherField).map(otherField)] : changes
          )
        ]
  )
}

const businessOf = ({ connection, credentials }: Pick<Account, "connection" | "credentials">) => ({
  businessAccountId: String(connection.config.business_account_id),
  phoneNumberId: String(connection.config.phone_number_id),
  displayNumber: connection.handle,
  appSecret: String(credentials?.app_secret)
})

/** Meta's request with a pressed reply button. */
export const pressRequest = (
  account: Account,
  { at, from, number, option, question }: OptionPress
): ProviderRequest => {
  const business = businessOf(account)
  const message = {
    ...common({ number, from, at }),
    type: "interactive",
    context: { from: account.connection.handle, id: question },
    interactive: { type: "button_reply", button_reply: option }
  }
  return whatsAppWebhook(business, [whatsAppEntry(business, [whatsAppChange(business, { messages: [message] })])])
}

/** All events that are list items, in one change. */
const itemised = (events: ReadonlyArray<VendorEvent>): ReadonlyArray<Value> => {
  const value: { [field: string]: ReadonlyArray<unknown> } = {}
  for (const event of events) {
    if (isOtherField(event)) continue
    for (const [field, items] of Object.entries(changeValue(event))) value[field] = [...(value[field] ?? []), ...items]
  }
  return Object.keys(value).length === 0 ? [] : [value]
}

type UnknownEvent = Extract<VendorEvent, { readonly _tag: "Unknown" }>

const isOtherField = (event: VendorEvent): event is UnknownEvent =>
  event._tag === "Unknown" && event.what === "a change of another field"

const otherField = (event: VendorEvent): object => ({
  field: "history",
  value: { chunk: event._tag === "Unknown" ? event.mark : "" }
})

const common = ({ at, from, number }: { readonly number: number; readonly from: string; readonly at: Instant }) => ({
  from,
  id: `wamid.in-${number}`,
  timestamp: String(at / 1_000)
})

const changeValue = (event: VendorEvent): Value => {
  switch (event._tag) {
    case "Message":
      return {
        contacts: [{ profile: { name: event.name }, wa_id: event.from }],
        messages: [{ ...common(event), type: "text", text: { body: event.text } }]
      }
    case "Receipt":
      return {
        statuses: [
          {
            id: event.providerMessageId,
            status: event.status,
            timestamp: String(event.at / 1_000),
            recipient_id: event.to,
            biz_opaque_callback_data: event.messageId,
            ...(event.status === "failed" ? { errors: [{ code: 131026, title: "Message undeliverable" }] } : {})
          }
        ]
      }
    case "Unknown":
      return unknowns[event.what]?.(event.number, event.mark, event.from) ?? {}
    case "Action":
      return { messages: [{ ...common(event), ...messageOf(event.what) }] }
    case "Watermark":
      throw new Error("WhatsApp has no watermarks")
  }
}

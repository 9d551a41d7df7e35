import { createHmac } from "node:crypto"
import type { ProviderRequest } from "@parley/core"
import {
  type Account,
  aConnection,
  type ChannelFixture,
  type DocumentedError,
  lacks,
  type VendorEvent
} from "@parley/testkit"
import { courier } from "../src/index.js"
import { type CourierVendor, courierVendor } from "./CourierVendor.js"

const account = (number: number) => ({
  connection: aConnection({
    id: `01900000-0000-7000-8000-00000000000${number}`,
    channel: "whatsapp",
    provider: "courier",
    handle: `+4930000000${number}`,
    config: { sender: `sender-${number}` }
  }),
  credentials: { api_key: `api-key-${number}-3f9c`, webhook_secret: `webhook-secret-${number}-77ab` },
  secrets: [`api-key-${number}-3f9c`, `webhook-secret-${number}-77ab`]
})

/** A documented error, and what it means. */
const error = (
  status: number,
  code: string,
  outcome: DocumentedError<CourierVendor>["outcome"]
): DocumentedError<CourierVendor> => ({
  name: `${status} ${code}`,
  arrange: (vendor) => vendor.answerNext({ status, code }),
  outcome
})
const rejected = { _tag: "Rejected", code: "provider_error" } as const

export const courierFixture: ChannelFixture<CourierVendor> = {
  name: "courier",
  vendor: courierVendor([1, 2].map((number) => ({ sender: `sender-${number}`, apiKey: `api-key-${number}-3f9c` }))),
  provider: ({ url }) => courier({ apiUrl: url }),
  account: () => account(1),
  other: () => account(2),
  settings: { requiredConfig: ["sender"], requiredCredentials: ["api_key", "webhook_secret"] },
  handles: {
    good: [
      { written: "+49 (151) 123-4567", normalised: "+491511234567", vendor: "491511234567" },
      { written: "0044 20 7946 0000", normalised: "+442079460000", vendor: "442079460000" }
    ],
    bad: ["151", "somebody", "US.13491208655302741918"]
  },
  maxTextLength: "characters",
  sends: {
    taken: ({ taken }) => taken,
    template: lacks("Courier has no templates"),
    contents: lacks("the courier sends texts only"),
    files: lacks("the courier sends texts only"),
    dedupes: lacks("Courier sends a message again under the same reference"),
    errors: [
      error(401, "invalid_key", { ...rejected, scope: "connection" }),
      error(402, "no_credit", { ...rejected, scope: "connection" }),
      error(404, "unknown_recipient", { ...rejected, scope: "recipient" }),
      error(403, "opted_out", { ...rejected, scope: "recipient", optOut: "all" }),
      error(409, "window_closed", { _tag: "Rejected", scope: "message", code: "outside_service_window" }),
      error(413, "too_long", { ...rejected, scope: "message" }),
      error(503, "maintenance", { _tag: "Transient" }),
      error(500, "an_error_that_is_not_documented", { _tag: "Unknown" })
    ],
    throttles: {
      hinted: {
        arrange: (vendor) => vendor.answerNext({ status: 429, code: "too_many", retryAfter: 7 }),
        retryAfterMs: 7_000
      },
      unhinted: { arrange: (vendor) => vendor.answerNext({ status: 429, code: "too_many" }) }
    },
    unreachable: ({ stop }) => stop(),
    cutOff: (vendor) => vendor.answerNext(null),
    garbled: (vendor, status) => vendor.answerNext(status)
  },
  webhook: {
    request: (account, events) => signedCall(account, events.map(toldByCourier)),
    layouts: ["events"],
    proof: { header: "courier-signature" },
    provesBody: true,
    namesAccount: true,
    actions: lacks("customers of the courier write texts only"),
    names: true,
    receipts: ["sent", "delivered", "read", "failed"],
    receiptTimes: true,
    ownIds: true,
    watermarks: lacks("Courier reports each message by its id"),
    unknown: ["a new kind"],
    challenge: lacks("Courier does not check the URL")
  },
  poll: lacks("Courier calls us"),
  check: { working: "Working", wrongCredentials: "Failing" }
}

/** A call as Courier makes it. */
const signedCall = ({ connection, credentials }: Account, events: ReadonlyArray<object>): ProviderRequest => {
  const body = Buffer.from(JSON.stringify({ sender: connection.config.sender, events }))
  const signature = createHmac("sha256", String(credentials?.webhook_secret)).update(body).digest("hex")
  return {
    method: "POST",
    path: "",
    query: {},
    headers: { "content-type": "application/json", "courier-signature": signature },
    body: new Uint8Array(body)
  }
}

/** An event in Courier's words. */
const toldByCourier = (event: VendorEvent): object => {
  switch (event._tag) {
    case "Message": {
      const { at, from, name, number, text } = event
      return { kind: "message", id: `in-${number}`, from, name, text, at: at / 1_000 }
    }
    case "Receipt": {
      const { at, messageId, providerMessageId, status } = event
      return { kind: "status", id: providerMessageId, reference: messageId, status, at: at / 1_000 }
    }
    default:
      return { kind: "typing", ...event }
  }
}

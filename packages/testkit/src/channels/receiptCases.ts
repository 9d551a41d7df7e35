import assert from "node:assert/strict"
import { catalogue, type InboundEvent } from "@parley/core"
import { Effect, Either } from "effect"
import type { ChannelFixture } from "./ChannelFixture.js"
import { type ContractCase, isLacking } from "./ContractCase.js"
import { accepted, messageId, now } from "./opened.js"
import { VendorEvent } from "./VendorEvent.js"
import { webhookCase } from "./webhookCase.js"

/** Receipts in webhook requests. */
export const receiptCases = <Vendor>(fixture: ChannelFixture<Vendor>): ReadonlyArray<ContractCase> => {
  const { handles, webhook } = fixture
  const [{ vendor: to }] = handles.good
  const layouts = isLacking(webhook) || isLacking(webhook.layouts) ? [] : webhook.layouts

  /** One receipt for each of a number of messages, with the statuses in turn and ids of the vendor. */
  const receipts = (
    send: (message: { readonly id: string }) => Effect.Effect<string>,
    statuses: ReadonlyArray<Status>,
    count: number
  ) =>
    Effect.forEach(
      Array.from({ length: count }, (_, at) => at),
      (at) =>
        Effect.map(send({ id: messageId(at) }), (providerMessageId) =>
          VendorEvent.Receipt({
            providerMessageId,
            messageId: messageId(at),
            to,
            status: statuses[at % statuses.length] ?? "failed",
            at: now - 60_000 + at * 1_000
          })
        )
    )

  return [
    webhookCase(
      fixture,
      "reports the status of a message with its id and time",
      ({ ownIds, receipts, receiptTimes }) => (isLacking(receipts) ? receipts : { ownIds, receiptTimes, receipts }),
      ({ events, request, send }, { ownIds, receipts: statuses, receiptTimes }) =>
        Effect.gen(function* () {
          const sent = yield* receipts((message) => Effect.map(send(message), accepted), statuses, statuses.length)
          for (const receipt of sent) {
            const parsed = yield* events(request([receipt]))
            assert.deepEqual(parsed.map(summary), [[receipt.providerMessageId, receipt.status]])
            const first = receiptOf(parsed[0])
            assert.ok(first !== null, "no receipt is reported")
            const { error, status, at } = first.receipt
            if (receiptTimes === true) assert.equal(at, receipt.at)
            if (ownIds === true) assert.equal(first.messageId, receipt.messageId)
            assert.ok(status === "failed" || error === null, `an error of a message that was ${status}`)
            assert.ok(error === null || error.code in catalogue, `${error?.code} is no code of the catalogue`)
          }
        })
    ),
    ...layouts.map((layout) =>
      webhookCase(
        fixture,
        `takes every receipt of a batch by ${layout}`,
        ({ receipts }) => receipts,
        ({ events, request, send }, statuses) =>
          Effect.gen(function* () {
            const sent = yield* receipts((message) => Effect.map(send(message), accepted), statuses, 3)
            const parsed = yield* events(request(sent, layout))
            assert.deepEqual(
              parsed.map(summary),
              sent.map(({ providerMessageId, status }) => [providerMessageId, status])
            )
          })
      )
    ),
    webhookCase(
      fixture,
      "reports watermarks of delivered and read messages",
      ({ watermarks }) => watermarks,
      ({ account, events, provider, request }, statuses) =>
        Effect.gen(function* () {
          assert.ok(provider.watermarks, "the provider does not say that it has watermarks")
          for (const status of statuses) {
            const [parsed] = yield* events(request([VendorEvent.Watermark({ handle: to, status, upTo: now - 60_000 })]))
            assert.ok(parsed?._tag === "Watermark", `told as ${parsed?._tag}`)
            assert.deepEqual([parsed.status, parsed.upTo], [status, now - 60_000])
            const handle = provider.parseHandle(account.connection.channel, parsed.handle)
            assert.deepEqual(handle, Either.right(handles.good[0].normalised))
          }
        })
    )
  ]
}

type Status = Extract<VendorEvent, { readonly _tag: "Receipt" }>["status"]

/** The receipt in an event; an echo with our id is one. */
const receiptOf = (event: InboundEvent | undefined): Omit<InboundEvent & { _tag: "Receipt" }, "_tag"> | null => {
  if (event?._tag === "Receipt") return event
  if (event?._tag !== "Echo" || event.messageId == null) return null
  const { at, messageId, providerMessageId } = event
  return { providerMessageId, messageId, receipt: { status: "sent", at, error: null } }
}

const summary = (event: InboundEvent): ReadonlyArray<string> => {
  const receipt = receiptOf(event)
  return receipt === null ? [event._tag] : [receipt.providerMessageId, receipt.receipt.status]
}

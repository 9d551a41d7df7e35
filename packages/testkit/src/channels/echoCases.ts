import assert from "node:assert/strict"
import { type InboundEvent, originOf } from "@parley/core"
import { Effect, Either } from "effect"
import { channelEngine } from "./ChannelEngine.js"
import { type ChannelFixture, type Lacks, quotedBy } from "./ChannelFixture.js"
import { type ContractCase, isLacking } from "./ContractCase.js"
import { now } from "./opened.js"
import { VendorEvent } from "./VendorEvent.js"
import { type CalledWebhook, webhookCase } from "./webhookCase.js"

const noEchoes: Lacks = { lacks: "the vendor reports no messages that were written elsewhere" }
const noNews: Lacks = { lacks: "the vendor reports no news of the account" }

/** Messages that the business wrote elsewhere, and news of the account. */
export const echoCases = <Vendor>(fixture: ChannelFixture<Vendor>): ReadonlyArray<ContractCase> => {
  const { handles, webhook } = fixture
  const [{ normalised, vendor: to }] = handles.good
  const { echoes = noEchoes, news = noNews } = isLacking(webhook) ? {} : webhook
  const eventOf = (what: string, number: number) => VendorEvent.Action({ what, number, from: to, at: now - 60_000 })
  const parsed = (called: CalledWebhook<Vendor>, what: string, number: number) =>
    called.events(called.request([eventOf(what, number)]))

  return [
    ...(isLacking(echoes) ? [] : echoes).map((echo) =>
      webhookCase(
        fixture,
        `reports ${echo.what} as written elsewhere`,
        () => echoes,
        (called) =>
          Effect.gen(function* () {
            const [reported, ...others] = yield* parsed(called, echo.what, 1)
            assert.ok(reported !== undefined && isEcho(reported), "no echo is reported")
            assert.deepEqual(others, [])
            const { channel } = called.account.connection
            assert.deepEqual(called.provider.parseHandle(channel, reported.to), Either.right(normalised))
            assert.equal(reported.body, echo.body)
            assert.deepEqual(reported.content ?? null, echo.content ?? null)
            assert.equal(reported.quoted?.providerMessageId ?? null, quotedBy(echo, 1))
            assert.deepEqual(
              reported.attachments.map(({ type }) => type),
              echo.files ?? []
            )
            assert.equal(reported.forwarded ?? false, echo.forwarded ?? false)
            if (echo.groupId !== undefined) assert.equal(reported.groupId, echo.groupId)
            const idOf = (number: number) =>
              Effect.map(parsed(called, echo.what, number), (events) => events.find(isEcho)?.providerMessageId)
            assert.equal(yield* idOf(1), reported.providerMessageId, "a redelivery has another id")
            assert.notEqual(yield* idOf(2), reported.providerMessageId, "two messages have one id")
          })
      )
    ),
    webhookCase(
      fixture,
      "mirrors every message that was written elsewhere, once",
      () => echoes,
      (called, echoes) =>
        Effect.gen(function* () {
          const engine = yield* channelEngine(called.provider, called.account)
          for (const [index, { what }] of echoes.entries()) {
            const request = called.request([eventOf(what, index + 1)])
            yield* engine.call(request)
            yield* engine.call(request)
          }
          const stored = yield* engine.outbound(normalised)
          assert.deepEqual(stored.map(({ type }) => type).sort(), echoes.map(({ type }) => type).sort())
          for (const message of stored) assert.deepEqual([originOf(message), message.status], ["external", "sent"])
          assert.deepEqual(yield* engine.inbound(normalised), [])
        })
    ),
    webhookCase(
      fixture,
      "reports news of the account as a notice, equal when it is delivered again",
      () => news,
      (called, news) =>
        Effect.forEach(
          news,
          (what) =>
            Effect.gen(function* () {
              const [notice, ...others] = yield* parsed(called, what, 1)
              assert.ok(notice?._tag === "AccountNotice", `${what} is no notice: ${JSON.stringify(notice)}`)
              assert.deepEqual(others, [])
              assert.notEqual(notice.message.trim(), "")
              assert.deepEqual(yield* parsed(called, what, 1), [notice])
            }),
          { discard: true }
        )
    )
  ]
}

const isEcho = (event: InboundEvent): event is InboundEvent & { readonly _tag: "Echo" } => event._tag === "Echo"

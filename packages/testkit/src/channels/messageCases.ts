import assert from "node:assert/strict"
import type { InboundEvent } from "@parley/core"
import { Effect, Either } from "effect"
import type { ChannelFixture } from "./ChannelFixture.js"
import { type ContractCase, isLacking } from "./ContractCase.js"
import { breaksOnNothing } from "./unreadable.js"
import { VendorEvent } from "./VendorEvent.js"
import { anyWebhook, webhookCase } from "./webhookCase.js"

/** Messages and unknown events in webhook requests. */
export const messageCases = <Vendor>(fixture: ChannelFixture<Vendor>): ReadonlyArray<ContractCase> => {
  const { handles, webhook } = fixture
  const layouts = isLacking(webhook) || isLacking(webhook.layouts) ? [null] : webhook.layouts
  const unknown = isLacking(webhook) || isLacking(webhook.unknown) ? ["unknown events"] : webhook.unknown
  return [
    webhookCase(fixture, "reports a customer's message unchanged", anyWebhook, (called, { names }) =>
      Effect.gen(function* () {
        const text = 'Grüße, "Ada" 🥐\n<b>\\n</b> & %s'
        const [message, ...others] = yield* called.events(called.request([called.message(1, text)]))
        assert.deepEqual(others, [])
        assert.ok(message?._tag === "Message", `told as ${message?._tag}`)
        const { attachments, automatic, body, displayName, from } = message
        const handle = called.provider.parseHandle(called.account.connection.channel, from)
        assert.deepEqual(handle, Either.right(handles.good[0].normalised))
        assert.deepEqual([body, attachments, automatic], [text, [], false])
        if (names === true) assert.equal(displayName, "Ada Lovelace")
      })
    ),
    webhookCase(fixture, "reports a redelivered message with the same id", anyWebhook, ({ events, message, request }) =>
      Effect.gen(function* () {
        const idOf = (number: number) => Effect.map(events(request([message(number)])), ([events]) => idsOf(events))
        const first = yield* idOf(1)
        assert.equal(first?.length, 1)
        assert.deepEqual(yield* idOf(1), first)
        assert.notDeepEqual(yield* idOf(2), first)
      })
    ),
    ...layouts.map((layout) =>
      webhookCase(
        fixture,
        `takes every message of a batch${layout === null ? "" : ` by ${layout}`}`,
        ({ layouts }) => layouts,
        ({ events, message, request }) =>
          Effect.gen(function* () {
            const messages = [1, 2, 3].map((number) => message(number))
            const parsed = yield* events(request(messages, layout))
            assert.deepEqual(
              parsed.flatMap(bodyOf),
              messages.map(({ text }) => text)
            )
          })
      )
    ),
    ...unknown.map((what) =>
      webhookCase(
        fixture,
        `stores ${what} raw`,
        ({ unknown }) => unknown,
        (called) =>
          Effect.gen(function* () {
            const { events, message, request } = called
            const mark = "k33p-th1s"
            const unknown = VendorEvent.Unknown({ what, number: 7, mark, from: handles.good[0].vendor })
            assert.ok(keeps(yield* events(request([unknown])), mark))
            if (isLacking(webhook) || isLacking(webhook.layouts)) return
            for (const layout of webhook.layouts) {
              const parsed = yield* events(request([message(1), unknown, message(2)], layout))
              assert.deepEqual(parsed.flatMap(bodyOf), [message(1).text, message(2).text])
              assert.ok(
                keeps(
                  parsed.filter(({ _tag }) => _tag !== "Message"),
                  mark
                )
              )
            }
          })
      )
    ),
    webhookCase(fixture, "does not throw on unreadable input", anyWebhook, breaksOnNothing),
    webhookCase(
      fixture,
      "assigns events of another account to that account",
      ({ namesAccount }) => namesAccount,
      ({ account, events, message, other, parse, provider, request, verify }) =>
        Effect.gen(function* () {
          const foreign = request([message(1)], null, { ...account, connection: other.connection })
          assert.ok(verify(foreign), "the fixture does not sign with the credentials that it is given")
          assert.deepEqual(yield* events(foreign), [])
          const whose = (yield* parse(foreign)).filter(({ events }) => events.length > 0).map(({ account }) => account)
          assert.deepEqual(whose, [provider.webhook?.accountOf?.(other.connection)])
        })
    ),
    webhookCase(
      fixture,
      "answers the vendor's verification of the URL, and refuses others",
      ({ challenge }) => challenge,
      ({ account, provider }, challenge) =>
        Effect.sync(() => {
          const { answer, right, wrong } = challenge(account)
          const answered = (request: typeof right) =>
            provider.webhook?.challenge?.(account.connection, account.credentials, request)
          assert.equal(answered(right), answer)
          for (const request of wrong) assert.equal(answered(request), null)
        })
    )
  ]
}

const idsOf = (event: InboundEvent | undefined): ReadonlyArray<string> | undefined =>
  event?._tag === "Message" ? [event.providerMessageId] : undefined

const bodyOf = (event: InboundEvent): ReadonlyArray<string> => (event._tag === "Message" ? [event.body] : [])

/** Whether all events are unknown events, and one contains this text. */
const keeps = (events: ReadonlyArray<InboundEvent>, mark: string): boolean =>
  events.every(({ _tag }) => _tag === "Unknown") &&
  events.some((event) => event._tag === "Unknown" && event.raw.includes(mark))

import { randomUUID } from "node:crypto"
import { describe, expect, it } from "@effect/vitest"
import { signature } from "@parley/core"
import { Effect } from "effect"
import { languages, missing, type WebhookReceiver, webhookReceiver } from "./webhookReceiver.js"

const secret = "whsec_0123456789abcdefghijklmnopqrstuv"
const timeout = 60_000

const now = () => Math.floor(Date.now() / 1_000)
const eventOf = (text: string, id: string = randomUUID()) => ({
  id,
  body: JSON.stringify({ id, type: "message.received", data: { message: { body: text } } })
})

/** What a webhook says of itself; signed as the engine signs, unless it says otherwise. */
interface Posted {
  readonly body: string
  readonly timestamp?: string
  readonly secret?: string
  readonly signature?: string
  readonly id?: string
}

/** Posts a webhook and answers the status. */
const post = ({ url }: WebhookReceiver, posted: Posted) =>
  Effect.promise(async () => {
    const timestamp = posted.timestamp ?? `${now()}`
    const signed = posted.signature ?? signature(posted.secret ?? secret, Number(timestamp), posted.body)
    const headers = {
      "content-type": "application/json",
      "x-webhook-id": posted.id ?? JSON.parse(posted.body).id,
      "x-webhook-timestamp": timestamp,
      "x-webhook-signature": signed
    }
    const response = await fetch(`${url}/hook`, { method: "POST", headers, body: posted.body })
    await response.arrayBuffer()
    return response.status
  })

for (const language of languages) {
  const lacks = missing(language)
  const test = it.scopedLive.skipIf(lacks !== null)
  const title = `the receiver in ${language.name}${lacks === null ? "" : ` (skipped: ${lacks})`}`
  describe(title, () => {
    test(
      "keeps what is genuine, byte by byte",
      () =>
        Effect.gen(function* () {
          const receiver = yield* webhookReceiver(language, secret)
          const events = ["plain", 'Grüße, 你好 👋🏽 \u2028 "quoted" \\ é é', ""].map((text) => eventOf(text))
          for (const { body } of events) expect(yield* post(receiver, { body })).toBe(204)
          const clockAhead = eventOf("the sender's clock is ahead")
          expect(yield* post(receiver, { body: clockAhead.body, timestamp: `${now() + 290}` })).toBe(204)
          const late = eventOf("almost too late")
          expect(yield* post(receiver, { body: late.body, timestamp: `${now() - 290}` })).toBe(204)
          expect(yield* receiver.kept).toEqual(new Map([...events, clockAhead, late].map(({ id, body }) => [id, body])))
        }),
      timeout
    )

    test(
      "refuses what is not, and goes on",
      () =>
        Effect.gen(function* () {
          const receiver = yield* webhookReceiver(language, secret)
          const { body } = eventOf("hello")
          const good = signature(secret, now(), body)
          const forged: ReadonlyArray<readonly [string, Posted]> = [
            ["another secret", { body, secret: `${secret.slice(0, -1)}w` }],
            ["an altered body", { body: body.replace("hello", "hullo"), signature: good }],
            ["an old timestamp", { body, timestamp: `${now() - 310}` }],
            ["a timestamp to come", { body, timestamp: `${now() + 310}` }],
            ["a timestamp that is altered", { body, timestamp: `${now() - 10}`, signature: good }],
            ["no timestamp", { body, timestamp: "", signature: good }],
            ["a timestamp that is no number", { body, timestamp: "soon", signature: good }],
            ["a timestamp beyond all numbers", { body, timestamp: "9".repeat(400), signature: good }],
            ["no signature", { body, signature: "" }],
            ["half a signature", { body, signature: good.slice(0, 40) }],
            ["a signature and more", { body, signature: `${good}0` }],
            ["a signature without its prefix", { body, signature: good.slice("sha256=".length) }],
            ["a signature that is not ASCII", { body, signature: `sha256=${"é".repeat(64)}` }],
            ["no body", { body: "", id: "x", signature: good }]
          ]
          for (const [what, posted] of forged) expect([what, yield* post(receiver, posted)]).toEqual([what, 401])
          const looked = yield* Effect.promise(() => fetch(receiver.url))
          expect(looked.ok).toBe(false)
          expect(yield* receiver.kept).toEqual(new Map())
          expect(yield* post(receiver, { body })).toBe(204)
        }),
      timeout
    )

    test(
      "keeps an event once, however often and under whatever header it comes",
      () =>
        Effect.gen(function* () {
          const receiver = yield* webhookReceiver(language, secret)
          const first = eventOf("first")
          const again = eventOf("the same event, later", first.id)
          const posts = Array.from({ length: 8 }, () => post(receiver, first))
          expect(yield* Effect.all(posts, { concurrency: "unbounded" })).toEqual(posts.map(() => 204))
          expect(yield* post(receiver, again)).toBe(204)
          // the header is not signed: an attacker can replay a recorded webhook under another id
          expect(yield* post(receiver, { body: first.body, id: randomUUID() })).toBe(204)
          expect(yield* receiver.kept).toEqual(new Map([[first.id, first.body]]))
        }),
      timeout
    )
  })
}

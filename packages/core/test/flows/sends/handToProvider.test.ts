import { expect, it } from "@effect/vitest"
import { aConnection, aMessage, channelsNamed, someConnectionId } from "@parley/testkit/rows"
import { Deferred, Effect, Either, Fiber, Option, Schema, Stream, TestClock } from "effect"
import { describe } from "vitest"
import { handToProvider } from "../../../src/flows/sends/handToProvider.js"
import { progressOf } from "../../../src/flows/sends/SendProgress.js"
import { recorded } from "../../../src/kernel/metrics/recorded.js"
import { minute, second } from "../../../src/model/Instant.js"
import { emptyEnvelope, type Message } from "../../../src/model/Message.js"
import type { Blob } from "../../../src/ports/Blobs.js"
import { type ChannelProvider, type OutboundMessage, SendOutcome } from "../../../src/ports/ChannelProvider.js"
import { SecretUnreadable } from "../../../src/ports/SecretBox.js"
import { StorageBusy, StorageUnavailable } from "../../../src/ports/Storage.js"
import { type Script, scriptedStorage } from "../../scriptedStorage.js"

const id = (n: number) => `01900000-0000-7000-8000-${`${n}`.padStart(12, "0")}`
const message = aMessage({ id: id(99) })
const accepted = SendOutcome.Accepted({ providerMessageId: "p1", receipts: [] })
const box = { open: Effect.succeed }
const broken = () => {
  throw new Error("broken")
}

interface Given {
  readonly message?: Message
  readonly connection?: Parameters<typeof aConnection>[0]
  readonly open?: typeof box.open | (() => Effect.Effect<never, SecretUnreadable>)
  readonly script?: Script
  readonly provider?: Partial<ChannelProvider>
  /** Default: none. */
  readonly blobs?: ReadonlyMap<string, Blob>
  readonly getBlob?: Effect.Effect<never>
  /** Whether the job's lease is held when the attempt begins. Default: true. */
  readonly isHeld?: boolean
  /** Default: an https URL. */
  readonly publicUrl?: string | null
  /** Default: now. */
}

/** Hands a message to a provider that accepts it, and records what the provider received. */
const handing = (given: Given = {}) =>
  Effect.gen(function* () {
    const { callsOf, storage } = yield* scriptedStorage(given.script ?? {})
    const sent: Array<{ readonly credentials: unknown; readonly message: OutboundMessage; readonly at: number }> = []
    const provider: ChannelProvider = {
      kind: "scripted",
      channels: channelsNamed("whatsapp"),
      config: Schema.Unknown,
      credentials: Schema.Unknown,
      capabilities: () => ({
        textMaxLength: null,
        templates: true,
        deliveryReceipts: true,
        readReceipts: true,
        serviceWindowHours: null
      }),
      parseHandle: (_, handle) => Either.right(handle),
      dedupes: false,
      send: (_, credentials, message, at) =>
        Effect.sync(() => {
          sent.push({ credentials, message, at })
          return accepted
        }),
      ...given.provider
    }
    let begun = 0
    const outcome = yield* handToProvider(
      {
        storage,
        blobs: { get: (key) => given.getBlob ?? Effect.succeed(Option.fromNullable(given.blobs?.get(key))) },
        secretBox: { open: given.open ?? box.open, sign: (text) => text },
        settings: { publicUrl: given.publicUrl === undefined ? "https://parley.example" : given.publicUrl }
      },
      {
        message: given.message ?? message,
        progress: progressOf({ payload: { to: "+1", tries: 2 } }),
        connection: aConnection({ channel: "whatsapp", credentials: `{"token":"t"}`, ...given.connection }),
        provider
      },
      Effect.sync(() => {
        begun++
        return given.isHeld ?? true
      })
    )
    return { begun, outcome: outcome as SendOutcome, sent, callsOf }
  })

/** The sum of the durations (`_sum`) or the number (`_count`) of the measured sends with this verdict. */
const measured = (verdict: string, suffix: "_sum" | "_count"): number =>
  recorded("parley_send_duration_seconds")
    .flatMap(({ samples }) => samples)
    .filter(({ labels, ...sample }) => sample.suffix === suffix && labels.verdict === verdict)
    .filter(({ labels }) => labels.channel === "whatsapp")
    .reduce((sum, { value }) => sum + value, 0)

describe("a provider", () => {
  it.scoped("has its files, with a URL for a day if this service has a public https URL", () =>
    Effect.gen(function* () {
      const described = { type: "image", contentType: "image/png", fileName: "a.png", size: 3 } as const
      const withFile = { ...message, attachments: [{ id: id(7), ...described }] }
      const bytes = Stream.make(new Uint8Array([1, 2, 3]))
      const blobs = new Map([[id(7), { size: 3, bytes }]])
      const { sent } = yield* handing({ message: withFile, blobs })
      expect(sent[0]?.message.files).toEqual([
        {
          ...described,
          bytes,
          contentKey: id(7),
          url: `https://parley.example/media/${id(7)}?expires=86400&signature=media ${id(7)} 86400`
        }
      ])
      for (const publicUrl of [null, "http://parley.example"]) {
        const { sent } = yield* handing({ message: withFile, blobs, publicUrl })
        expect(sent[0]?.message.files?.[0]?.url).toBeNull()
      }
      expect((yield* handing({ message: withFile })).outcome).toMatchObject({ _tag: "Rejected", scope: "message" })
    })
  )
  it.scoped("receives the message with the credentials, the time and the number of the try", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(7 * second)
      const { outcome, sent } = yield* handing({
        message: { ...message, body: "Hello", subject: "Greeting", html: "<p>Hello</p>" }
      })
      expect(outcome).toEqual(accepted)
      expect(sent).toEqual([
        {
          credentials: { token: "t" },
          at: 7 * second,
          message: {
            id: message.id,
            to: "+1",
            template: null,
            body: "Hello",
            subject: "Greeting",
            html: "<p>Hello</p>",
            content: null,
            quoted: null,
            files: [],
            signedIds: null,
            thread: [],
            attempt: 3,
            origin: "application",
            webhookUrl: `https://parley.example/inbound/${someConnectionId}`
          }
        }
      ])
    })
  )
  it.scoped("is marked where an application says that a program wrote it", () =>
    Effect.gen(function* () {
      const { sent } = yield* handing({ message: { ...message, envelope: { ...emptyEnvelope, automatic: true } } })
      expect(sent).toMatchObject([{ message: { automatic: true } }])
    })
  )
  it.scoped("may have threads on some connections only", () =>
    Effect.gen(function* () {
      const readsOf = (business: boolean) =>
        Effect.map(
          handing({
            provider: { threads: ({ config }) => config.business === true },
            connection: { config: { business } },
            script: { list: () => Effect.succeed([]) }
          }),
          ({ callsOf }) => callsOf("list").length
        )
      expect([yield* readsOf(true), yield* readsOf(false)]).toEqual([1, 0])
    })
  )
  it.scoped("receives signed ids where it asks for them, and the link only with marketing", () =>
    Effect.gen(function* () {
      const idsOf = (given: Given) =>
        Effect.map(handing({ provider: { signedIds: true }, ...given }), ({ sent }) => sent[0]?.message.signedIds)
      const marketing = { connection: { config: { marketing: true } } }
      const plain = yield* idsOf({})
      expect(plain).toEqual({
        report: expect.stringMatching(/^[0-9a-v]{42}$/),
        unsubscribe: expect.stringMatching(/^[0-9a-v]{42}$/),
        unsubscribeUrl: null,
        chooseUrl: null
      })
      expect(plain?.report).not.toBe(plain?.unsubscribe)
      const link = `https://parley.example/unsubscribe?id=${plain?.unsubscribe}`
      expect((yield* idsOf(marketing))?.unsubscribeUrl).toBe(link)
      const replies = [
        { ...message, applicationId: null },
        { ...message, botSessionId: id(1) }
      ]
      for (const reply of replies) expect((yield* idsOf({ ...marketing, message: reply }))?.unsubscribeUrl).toBeNull()
      const options = [{ id: "y", title: "Yes", description: null }]
      const question = { ...message, content: { type: "choices", options, button: null } as const }
      const choose = (yield* idsOf({ message: question }))?.chooseUrl
      expect(choose).toMatch(/^https:\/\/parley\.example\/choose\?id=[0-9a-v]{42}$/)
      for (const publicUrl of [null, "http://parley.example"]) {
        expect((yield* idsOf({ ...marketing, publicUrl }))?.unsubscribeUrl).toBeNull()
        expect((yield* idsOf({ message: question, publicUrl }))?.chooseUrl).toBeNull()
      }
    })
  )
  it.scoped("receives the template with its language and its variables", () =>
    Effect.gen(function* () {
      const template = { ...message, templateName: "welcome", variables: ["Ada"] }
      const named = yield* handing({ message: { ...template, templateLanguage: "de" } })
      expect(named.sent[0]?.message.template).toEqual({ name: "welcome", language: "de", variables: ["Ada"] })
      const withoutLanguage = yield* handing({ message: { ...template, templateLanguage: null } })
      expect(withoutLanguage.sent[0]?.message.template?.language).toBe("")
    })
  )
  it.scoped("with threads receives the last ten earlier messages that have an id of the vendor, oldest first", () =>
    Effect.gen(function* () {
      const newestFirst = Array.from({ length: 14 }, (_, n) =>
        aMessage({ id: id(50 - n), subject: `subject ${n}`, providerMessageId: n === 1 ? null : `p${n}` })
      )
      const { callsOf, sent } = yield* handing({
        provider: { threads: true },
        script: { list: [Effect.succeed(newestFirst)] as never }
      })
      expect(callsOf("list").map(({ given }) => given)).toEqual([
        [{ from: "messages", where: { conversationId: message.conversationId }, after: message.id, limit: 30 }]
      ])
      expect(sent[0]?.message.thread.map(({ providerMessageId }) => providerMessageId)).toEqual(
        [10, 9, 8, 7, 6, 5, 4, 3, 2, 0].map((n) => `p${n}`)
      )
      expect(sent[0]?.message.thread[9]).toEqual({
        direction: "outbound",
        providerMessageId: "p0",
        subject: "subject 0"
      })
    })
  )
  it.scoped("with threads continues what people wrote, not the out-of-office reply that came last", () =>
    Effect.gen(function* () {
      const envelope = { ...emptyEnvelope, automatic: true }
      const away = aMessage({
        id: id(52),
        direction: "inbound",
        subject: "I am away",
        providerMessageId: "away",
        envelope
      })
      const ours = aMessage({ id: id(51), subject: "Our newsletter", providerMessageId: "ours", envelope })
      const order = aMessage({ id: id(50), direction: "inbound", subject: "My order", providerMessageId: "order" })
      const threadOf = (...newestFirst: ReadonlyArray<Message>) =>
        Effect.map(
          handing({ provider: { threads: true }, script: { list: [Effect.succeed(newestFirst)] as never } }),
          ({ sent }) => sent[0]?.message.thread.map(({ providerMessageId }) => providerMessageId)
        )
      expect(yield* threadOf(away, ours, order)).toEqual(["order", "ours"])
      expect(yield* threadOf(away)).toEqual(["away"])
    })
  )
})

describe("a provider that is not called", () => {
  it.scoped("since the credentials cannot be decrypted is a transient failure", () =>
    Effect.gen(function* () {
      const open = () => new SecretUnreadable({ reason: "no such key" })
      const { outcome, sent } = yield* handing({ open })
      expect(sent).toEqual([])
      expect(outcome).toEqual(
        SendOutcome.Transient({ reason: "the connection's credentials cannot be opened: no such key" })
      )
    })
  )
  it.scoped("since the thread cannot be read is a transient failure", () =>
    Effect.gen(function* () {
      for (const error of [new StorageUnavailable({ cause: "cut off" }), new StorageBusy({ reason: "busy" })]) {
        const { outcome, sent } = yield* handing({ provider: { threads: true }, script: { list: [error] } })
        expect(sent).toEqual([])
        expect(outcome).toEqual(SendOutcome.Transient({ reason: error.message }))
      }
    })
  )
})

describe("a send whose provider is not called in time", () => {
  const described = { type: "image", contentType: "image/png", fileName: "a.png", size: 3 } as const
  const withFile = { ...message, attachments: [{ id: id(7), ...described }] }
  const hanging: { readonly [what: string]: Given } = {
    files: { message: withFile, getBlob: Effect.never },
    thread: { provider: { threads: true }, script: { list: () => Effect.never } },
    credentials: { open: () => Effect.never }
  }
  for (const [what, given] of Object.entries(hanging)) {
    it.scoped(`since the ${what} are not read is a transient failure`, () =>
      Effect.gen(function* () {
        const handed = yield* Effect.fork(handing(given))
        yield* TestClock.adjust(what === "credentials" ? minute : 15 * second)
        const { begun, outcome, sent } = yield* Fiber.join(handed)
        expect([outcome._tag, sent, begun]).toEqual(["Transient", [], 0])
      })
    )
  }
  it.scoped("since its lease is lost has no outcome", () =>
    Effect.gen(function* () {
      const { begun, outcome, sent } = yield* handing({ isHeld: false })
      expect([begun, outcome, sent]).toEqual([1, null, []])
    })
  )
  it.scoped("since its files cannot be read for an unexpected reason is a transient failure", () =>
    Effect.gen(function* () {
      const { outcome, sent } = yield* handing({ message: withFile, getBlob: Effect.die("broken") })
      expect([outcome._tag, sent]).toEqual(["Transient", []])
    })
  )
})

describe("the outcome of a send", () => {
  it.scoped("is unknown if the provider interrupts its call", () =>
    Effect.gen(function* () {
      const { outcome } = yield* handing({ provider: { send: () => Effect.interrupt } })
      expect(outcome._tag).toBe("Unknown")
    })
  )
  it.scoped("is unknown after the provider's own timeout, if it has one", () =>
    Effect.gen(function* () {
      const provider = { send: () => Effect.never, sendTimeout: 10 * minute }
      const handed = yield* Effect.fork(handing({ provider }))
      yield* TestClock.adjust(10 * minute - 1)
      expect(handed.unsafePoll()).toBeNull()
      yield* TestClock.adjust(1)
      expect((yield* Fiber.join(handed)).outcome._tag).toBe("Unknown")
    })
  )
  it.scoped("is unknown if the provider does not answer within a minute", () =>
    Effect.gen(function* () {
      const handed = yield* Effect.fork(handing({ provider: { send: () => Effect.never } }))
      yield* TestClock.adjust(minute - 1)
      expect(handed.unsafePoll()).toBeNull()
      yield* TestClock.adjust(1)
      const { outcome } = yield* Fiber.join(handed)
      expect(outcome).toEqual(SendOutcome.Unknown({ reason: "the provider did not answer in time" }))
    })
  )
  it.scoped("is unknown after a minute if the provider cannot be interrupted", () =>
    Effect.gen(function* () {
      const ended = yield* Deferred.make<void>()
      const send = () => Effect.as(Effect.uninterruptible(Deferred.await(ended)), accepted)
      const handed = yield* Effect.fork(handing({ provider: { send } }))
      yield* TestClock.adjust(minute)
      const { outcome } = yield* Fiber.join(handed)
      expect(outcome).toEqual(SendOutcome.Unknown({ reason: "the provider did not answer in time" }))
      yield* Deferred.succeed(ended, undefined)
    })
  )
  for (const [how, send] of [
    ["dies", () => Effect.die("broken")],
    ["fails", () => Effect.fail(new Error("broken"))],
    ["throws", broken],
    ["returns a promise", () => Promise.resolve(accepted)],
    ["returns a promise that is rejected", () => Promise.reject(new Error("broken"))],
    ["returns no outcome", () => Effect.succeed({ id: "p1" })]
  ] as const) {
    it.scoped(`is unknown if the provider ${how}`, () =>
      Effect.gen(function* () {
        const { outcome } = yield* handing({ provider: { send: send as unknown as ChannelProvider["send"] } })
        expect(outcome).toEqual(SendOutcome.Unknown({ reason: "the provider failed unexpectedly" }))
      })
    )
  }
  it.scoped("is made storable", () =>
    Effect.gen(function* () {
      const unstorable = SendOutcome.Accepted({ providerMessageId: "", receipts: [] })
      const { outcome } = yield* handing({ provider: { send: () => Effect.succeed(unstorable) } })
      expect(outcome).toMatchObject({ providerMessageId: message.id })
    })
  )
  it.scoped("is measured in seconds by its verdict", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(minute)
      const throttled = SendOutcome.Throttled({ retryAfterMs: null })
      const [sum, count] = [measured("throttled", "_sum"), measured("throttled", "_count")]
      const send = () => Effect.as(Effect.sleep(3 * second), throttled)
      const handed = yield* Effect.fork(handing({ provider: { send } }))
      yield* TestClock.adjust(3 * second)
      yield* Fiber.join(handed)
      expect(measured("throttled", "_sum") - sum).toBeCloseTo(3)
      expect(measured("throttled", "_count") - count).toBe(1)
    })
  )
})

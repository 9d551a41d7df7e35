import { describe, expect, it } from "@effect/vitest"
import { aConnection, aConversation, aMessage, channelsNamed } from "@parley/testkit/rows"
import { Effect, Either, Fiber, Option, Schema, TestClock } from "effect"
import type { ChannelProvider } from "../../../src/ports/ChannelProvider.js"
import { SecretUnreadable } from "../../../src/ports/SecretBox.js"
import { channelProviders } from "../../../src/resources/channels/channelProviders.js"
import { signalCustomer } from "../../../src/resources/conversations/signalCustomer.js"
import { scriptedStorage } from "../../scriptedStorage.js"

const connection = aConnection({ provider: "signalling" })
const conversation = aConversation({ connectionId: connection.id, handle: "+491701234567" })
const hello = aMessage({ id: conversation.id, direction: "inbound", status: "delivered", providerMessageId: "hello" })

const provider = (signal: NonNullable<ChannelProvider["signal"]>): ChannelProvider => ({
  kind: "signalling",
  channels: channelsNamed("whatsapp"),
  config: Schema.Unknown,
  credentials: Schema.Unknown,
  capabilities: () => ({
    textMaxLength: null,
    templates: false,
    deliveryReceipts: false,
    readReceipts: false,
    serviceWindowHours: null,
    readMarks: true
  }),
  parseHandle: (_, handle) => Either.right(handle),
  dedupes: false,
  send: () => Effect.dieMessage("a signal sends no message"),
  signal
})

const marksRead = (
  signal: NonNullable<ChannelProvider["signal"]>,
  credentials: Effect.Effect<unknown, SecretUnreadable> = Effect.succeed({ token: "t" })
) =>
  Effect.gen(function* () {
    const { storage } = yield* scriptedStorage({
      read: () => Effect.succeed({ found: [connection] }),
      list: () => Effect.succeed([hello])
    })
    const providers = channelProviders([provider(signal)])
    return yield* signalCustomer({ storage, providers, credentialsOf: () => credentials }, conversation, "read")
  })

describe("a signal to the customer", () => {
  it.scoped("names the customer and the last message", () =>
    Effect.gen(function* () {
      const calls: Array<unknown> = []
      const taken = yield* marksRead((_connection, credentials, given) =>
        Effect.sync(() => void calls.push([credentials, given]))
      )
      expect(taken).toBe(true)
      expect(calls).toEqual([[{ token: "t" }, { kind: "read", to: conversation.handle, lastMessageId: "hello" }]])
    })
  )
  it.scoped("is given up after 5 s", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.fork(marksRead(() => Effect.never))
      yield* TestClock.adjust("4999 millis")
      expect(Option.isNone(yield* Fiber.poll(fiber))).toBe(true)
      yield* TestClock.adjust("1 millis")
      expect(yield* Fiber.join(fiber)).toBe(false)
    })
  )
  it.scoped("is not taken if the provider throws or the credentials cannot be opened", () =>
    Effect.gen(function* () {
      const throws = () => {
        throw new Error("odd")
      }
      expect(yield* marksRead(throws)).toBe(false)
      const unreadable = new SecretUnreadable({ reason: "is sealed under another key" })
      expect(yield* marksRead(() => Effect.void, unreadable)).toBe(false)
    })
  )
})

import { expect, it } from "@effect/vitest"
import { Effect, Either, Schema } from "effect"
import { readAccount } from "../../src/admin/connections/readAccount.js"
import { readSettings } from "../../src/admin/connections/readSettings.js"
import { type ChannelProvider, SendOutcome } from "../../src/ports/ChannelProvider.js"

const provider: ChannelProvider = {
  kind: "chat",
  channels: ["webchat"],
  config: Schema.Struct({}),
  credentials: Schema.Struct({ secret: Schema.optionalWith(Schema.String, { default: () => "made" }) }),
  capabilities: () => ({
    textMaxLength: null,
    templates: false,
    deliveryReceipts: false,
    readReceipts: false,
    serviceWindowHours: null
  }),
  parseHandle: (_channel, handle) =>
    handle.startsWith("visitor:") ? Either.right(handle) : Either.left("must be one"),
  dedupes: true,
  send: (_connection, _credentials, { id }) =>
    Effect.succeed(SendOutcome.Accepted({ providerMessageId: id, receipts: [] }))
}

it("keeps the credentials that a provider makes by itself, where none are given", () => {
  expect(readSettings(provider, { credentials: null }).credentials).toEqual({ secret: "made" })
  expect(readSettings(provider, { credentials: { secret: "given" } }).credentials).toEqual({ secret: "given" })
  expect(readSettings(provider, {})).not.toHaveProperty("credentials")
})

it("keeps none where the provider makes none", () => {
  const plain = { ...provider, credentials: Schema.Unknown }
  expect(readSettings(plain, { credentials: null }).credentials).toBeNull()
})

it("takes the business's own handle in its own form", () => {
  const input = { provider: "chat", channel: "webchat" as const, handle: "shop.example" }
  const read = (provider: ChannelProvider) => readAccount({ byKind: new Map([["chat", provider]]) }, input)
  expect(read(provider).problems).toEqual({ handle: ["must be one"] })
  expect(read({ ...provider, parseOwnHandle: (_channel, handle) => Either.right(handle) }).handle).toBe("shop.example")
})

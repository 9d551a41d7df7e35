import { expect, layer } from "@effect/vitest"
import { MemoryBlobs, UuidIds } from "@parley/node"
import { databases } from "@parley/testkit/databases"
import { aConnection, channelsNamed } from "@parley/testkit/rows"
import { plainSecretBox } from "@parley/testkit/services"
import { Context, Effect, Exit, Fiber, Layer, Schema, TestClock, TestContext } from "effect"
import * as ConnectionChecks from "../../../src/flows/connections/ConnectionChecks.js"
import * as Inbound from "../../../src/flows/inbound/Inbound.js"
import * as Decider from "../../../src/kernel/Decider.js"
import { layer as engineSettings } from "../../../src/kernel/EngineSettings.js"
import { changes, row } from "../../../src/ports/Changes.js"
import { type ChannelProvider, ChannelProviders, type CheckOutcome } from "../../../src/ports/ChannelProvider.js"
import { Ids } from "../../../src/ports/Ids.js"
import { SecretBox, SecretUnreadable } from "../../../src/ports/SecretBox.js"
import { Storage } from "../../../src/ports/Storage.js"
import { channelProviders } from "../../../src/resources/channels/channelProviders.js"

const requests: Array<{ readonly credentials: unknown; readonly url: string | null }> = []
const carrier = (kind: string, outcome: Effect.Effect<CheckOutcome> | null): ChannelProvider => ({
  kind,
  channels: channelsNamed("telegram"),
  config: Schema.Struct({}),
  credentials: Schema.Struct({}),
  capabilities: () => {
    throw new Error("not asked for here")
  },
  parseHandle: () => {
    throw new Error("not asked for here")
  },
  dedupes: false,
  send: () => {
    throw new Error("not asked for here")
  },
  ...(outcome === null
    ? {}
    : {
        check: (_connection, credentials) => {
          requests.push({ credentials, url: null })
          return outcome
        },
        setUp: (_connection, credentials, url) => {
          requests.push({ credentials, url })
          return outcome
        }
      })
})
const carriers = [
  carrier("well", Effect.succeed({ _tag: "Working", detail: "The bot is @acme." })),
  carrier("ill", Effect.succeed({ _tag: "Failing", problem: "The token is not valid any more." })),
  carrier("mute", Effect.never),
  carrier("stuck", Effect.uninterruptible(Effect.never)),
  carrier(
    "thrown",
    Effect.sync(() => {
      throw new Error("a bug")
    })
  ),
  carrier("promised", Promise.resolve({ _tag: "Working" }) as never),
  {
    ...carrier("bound", null),
    check(this: ChannelProvider) {
      return Effect.succeed({ _tag: "Working" as const, detail: this.kind })
    },
    setUp(this: ChannelProvider) {
      if (this.kind === "bound") throw new Error("a bug")
      return Effect.never
    }
  } satisfies ChannelProvider,
  carrier("plain", null)
]
const providers = Layer.succeed(ChannelProviders, channelProviders(carriers))

const secretBox = Layer.map(plainSecretBox, (context) => {
  const box = Context.get(context, SecretBox)
  const open = (sealed: string) =>
    sealed === "lost" ? Effect.fail(new SecretUnreadable({ reason: "no key opens it" })) : box.open(sealed)
  return Context.make(SecretBox, { ...box, open })
})

const connectionOf = (provider: string, credentials: string | null = null) =>
  Effect.gen(function* () {
    const id = (yield* Ids).next(1)
    const connection = aConnection({ id, provider, credentials })
    yield* (yield* Storage).commit(changes(connection.workspaceId, { inserts: [row("connections", connection)] }))
    return id
  })
const check = (id: string) => Effect.flatMap(ConnectionChecks.ConnectionChecks, (checks) => checks.check(id))
const setUp = (id: string) =>
  Effect.flatMap(ConnectionChecks.ConnectionChecks, (checks) => checks.setUp(id, "https://parley.example/inbound/1"))

for (const [name, storage] of databases) {
  const live = Layer.effect(ConnectionChecks.ConnectionChecks, ConnectionChecks.make).pipe(
    Layer.provideMerge(Layer.effect(Inbound.Inbound, Inbound.make)),
    Layer.provideMerge(Layer.scoped(Decider.Decider, Decider.make)),
    Layer.provideMerge(
      Layer.mergeAll(storage, UuidIds.layer, providers, secretBox, engineSettings(), MemoryBlobs.layer)
    )
  )
  layer(live, { excludeTestServices: true, timeout: 60_000 })(`connection checks on ${name}`, (it) => {
    it.effect("returns the vendor's result", () =>
      Effect.gen(function* () {
        requests.length = 0
        expect(yield* check(yield* connectionOf("well", JSON.stringify({ token: "t" })))).toEqual({
          _tag: "Working",
          detail: "The bot is @acme."
        })
        expect(requests).toEqual([{ credentials: { token: "t" }, url: null }])
        expect(yield* check(yield* connectionOf("ill"))).toEqual({
          _tag: "Failing",
          problem: "The token is not valid any more."
        })
      })
    )

    it.effect("reports credentials that cannot be opened", () =>
      Effect.gen(function* () {
        expect(yield* check(yield* connectionOf("well", "lost"))).toEqual({
          _tag: "Failing",
          problem: "Its credentials cannot be opened: no key opens it. Giving them again repairs it too."
        })
      })
    )

    it.effect.each(["mute", "stuck"])("gives up on a vendor after 30 s: %s", (provider) =>
      Effect.gen(function* () {
        const id = yield* connectionOf(provider)
        const checking = yield* Effect.fork(check(id))
        // The timeout starts after the connection was read.
        while (Exit.isSuccess(yield* Effect.exit(TestClock.adjust("1 seconds"))) && checking.unsafePoll() === null) {
          yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 1)))
        }
        expect(yield* Fiber.join(checking)).toEqual({
          _tag: "Failing",
          problem: "The vendor gave no result: no answer within 30s."
        })
      }).pipe(Effect.provide(TestContext.TestContext))
    )

    it.effect("reports a check that throws, and one that returns a promise", () =>
      Effect.gen(function* () {
        for (const provider of ["thrown", "promised"]) {
          expect(yield* check(yield* connectionOf(provider))).toEqual({
            _tag: "Failing",
            problem: "The vendor gave no result: the provider failed unexpectedly."
          })
        }
      })
    )

    it.effect("calls the provider as a method, and reports a set-up that throws", () =>
      Effect.gen(function* () {
        const id = yield* connectionOf("bound")
        expect(yield* check(id)).toEqual({ _tag: "Working", detail: "bound" })
        expect(yield* Effect.flip(setUp(id))).toMatchObject({
          code: "channel_setup_failed",
          details: { problem: "The vendor gave no result: the provider failed unexpectedly." }
        })
      })
    )

    it.effect("refuses a provider without a check and an unknown connection", () =>
      Effect.gen(function* () {
        expect(yield* Effect.flip(check(yield* connectionOf("plain")))).toMatchObject({ code: "validation_failed" })
        expect(yield* Effect.flip(check(yield* connectionOf("unknown")))).toMatchObject({ code: "validation_failed" })
        expect(yield* Effect.flip(check((yield* Ids).next(1)))).toMatchObject({ code: "not_found" })
      })
    )

    it.effect("registers the webhook URL and audits it", () =>
      Effect.gen(function* () {
        requests.length = 0
        const id = yield* connectionOf("well")
        expect(yield* setUp(id)).toBe("The bot is @acme.")
        expect(requests).toEqual([{ credentials: null, url: "https://parley.example/inbound/1" }])
        const { workspaceId } = aConnection({ id })
        const entries = yield* (yield* Storage).list({
          from: "auditLog",
          where: { workspaceId },
          after: null,
          limit: 1
        })
        expect(entries).toMatchObject([{ action: "connection.set_up", subjectId: id }])
        expect(yield* Effect.flip(setUp(yield* connectionOf("ill")))).toMatchObject({
          code: "channel_setup_failed",
          details: { provider: "ill", problem: "The token is not valid any more." }
        })
      })
    )
  })
}

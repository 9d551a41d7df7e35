import assert from "node:assert/strict"
import { Effect } from "effect"
import type { ChannelFixture } from "./ChannelFixture.js"
import { type ContractCase, conditionalCase } from "./ContractCase.js"
import { customerMessage } from "./customerMessage.js"
import { arranged, now, type Opened, opened } from "./opened.js"

/** Polled events. */
export const pollCases = <Vendor>(fixture: ChannelFixture<Vendor>): ReadonlyArray<ContractCase> => {
  const message = (number: number) => customerMessage(fixture, number)
  return [
    conditionalCase("polls everything that arrived, each once", fixture.poll, ({ arrive }) =>
      Effect.gen(function* () {
        const world = yield* opened(fixture)
        const begun = yield* polled(world, null)
        yield* arranged(() => arrive(world.vendor, world.account, [message(1), message(2), message(3)]))
        const first = yield* polled(world, begun.cursor)
        assert.deepEqual(
          first.bodies,
          [message(1), message(2), message(3)].map(({ text }) => text)
        )
        assert.deepEqual((yield* polled(world, first.cursor)).bodies, [])
        yield* arranged(() => arrive(world.vendor, world.account, [message(4)]))
        assert.deepEqual((yield* polled(world, first.cursor)).bodies, [message(4).text])
      })
    ),
    conditionalCase("repeats what was not stored, under the same ids", fixture.poll, ({ arrive }) =>
      Effect.gen(function* () {
        const world = yield* opened(fixture)
        const { cursor } = yield* polled(world, null)
        yield* arranged(() => arrive(world.vendor, world.account, [message(1), message(2)]))
        const first = yield* polled(world, cursor)
        assert.equal(new Set(first.ids).size, 2)
        assert.deepEqual(yield* polled(world, cursor), first)
      })
    )
  ]
}

/** All events after a cursor, over several polls. */
const polled = <Vendor>({ account, provider }: Opened<Vendor>, cursor: unknown): Effect.Effect<News, unknown> => {
  const { poll } = provider
  assert.ok(poll, "the provider does not poll")
  const more = (news: News): Effect.Effect<News, unknown> =>
    Effect.flatMap(poll(account.connection, account.credentials, news.cursor, now), ({ againInMs, cursor, events }) => {
      // As stored.
      const next = { ...news, cursor: JSON.parse(JSON.stringify(cursor)) as unknown }
      assert.ok(Number.isFinite(againInMs) && againInMs >= 0, "`againInMs` is not a number of ms")
      assert.ok(events.length > 0 || againInMs >= 1_000, "nothing arrived, and it polls again within a second")
      const messages = events.flatMap((event) => (event._tag === "Message" ? [event] : []))
      if (messages.length === 0) return Effect.succeed(next)
      return more({
        ...next,
        ids: [...news.ids, ...messages.map(({ providerMessageId }) => providerMessageId)],
        bodies: [...news.bodies, ...messages.map(({ body }) => body)]
      })
    })
  return more({ cursor, ids: [], bodies: [] })
}

interface News {
  readonly cursor: unknown
  readonly ids: ReadonlyArray<string>
  readonly bodies: ReadonlyArray<string>
}

import assert from "node:assert/strict"
import type { ChannelProvider, MessageContent } from "@parley/core"
import { Effect, type Scope } from "effect"
import { type ChannelEngine, channelEngine } from "./ChannelEngine.js"
import {
  type Account,
  type ChannelFixture,
  type CustomerAction,
  type Lacks,
  lacks,
  type OwnServerFixture
} from "./ChannelFixture.js"
import { type ContractCase, conditionalCase, isLacking } from "./ContractCase.js"
import { choiceTimings } from "./choiceTimings.js"
import { customerMessage } from "./customerMessage.js"
import { now, opened } from "./opened.js"
import { VendorEvent } from "./VendorEvent.js"

/** Customers' requests to the provider's own server. */
export const ownServerCases = <Vendor>(fixture: ChannelFixture<Vendor>): ReadonlyArray<ContractCase> => {
  const { handles, ownServer = lacks("the provider has no server") } = fixture
  const [{ normalised: customer, vendor: from }] = handles.good
  const text = customerMessage(fixture, 1)

  /** A case in an engine whose customer has just written. */
  const inServer = <Facet>(
    name: string,
    facet: (server: OwnServerFixture) => Facet | Lacks,
    run: (world: ServerWorld, facet: Facet) => Effect.Effect<void, unknown, Scope.Scope>
  ): ContractCase =>
    conditionalCase(name, isLacking(ownServer) ? ownServer : facet(ownServer), (facet) =>
      Effect.gen(function* () {
        const { account, provider } = yield* opened(fixture)
        const engine = yield* channelEngine(provider, account)
        const write: ServerWorld["write"] = (event) =>
          isLacking(ownServer) ? Effect.void : engine.call(ownServer.request(account, event))
        yield* write(text)
        yield* run({ account, engine, provider, write }, facet)
      })
    )

  return [
    inServer(
      "stores every action of a customer of its server, once",
      ({ actions }) => actions,
      ({ engine, write }, actions) =>
        Effect.gen(function* () {
          yield* write(text)
          for (const [index, { what }] of actions.entries()) {
            const action = VendorEvent.Action({ what, number: index + 2, from, at: now - 60_000 })
            yield* write(action)
            yield* write(action)
          }
          const stored = (yield* engine.inbound(customer)).map(({ attachments, body, content, type }) =>
            lineOf({ type, body, content, files: attachments.map(({ type }) => type) })
          )
          const expected = [
            lineOf({ type: "text", body: text.text, content: null, files: [] }),
            ...actions.map(({ body, content = null, files = [], type }) => lineOf({ type, body, content, files }))
          ]
          assert.deepEqual(stored.sort(), expected.sort())
        })
    ),
    inServer(
      "stores a customer's answer to a message with the message that it answers, once",
      ({ answers = lacks("customers cannot quote at its server") }) => answers,
      ({ account, engine }, request) =>
        Effect.gen(function* () {
          const sent = yield* engine.settled(yield* engine.send(customer))
          const quoted = sent.providerMessageId ?? assert.fail("the message has no id of the provider")
          const answer = request(account, { number: 200, from, quoted, text: "This one" })
          yield* engine.call(answer)
          yield* engine.call(answer)
          const stored = (yield* engine.inbound(customer)).filter(({ body }) => body === "This one")
          assert.deepEqual(
            stored.map(({ envelope }) => envelope?.quoted?.messageId),
            [sent.id]
          )
        })
    ),
    inServer(
      "tells the first press of an option at its server from repeated and late ones",
      ({ presses = lacks("the channel has no options") }) => presses,
      ({ account, engine, provider }, request) =>
        choiceTimings(engine, provider.capabilities(account.connection), customer, (press) =>
          request(account, { ...press, from })
        )
    )
  ]
}

/** What is compared of a message. */
interface Written extends Pick<CustomerAction, "type" | "body"> {
  readonly content: MessageContent | null
  readonly files: NonNullable<CustomerAction["files"]>
}

const lineOf = ({ body, content, files, type }: Written): string => JSON.stringify({ type, body, content, files })

interface ServerWorld {
  readonly engine: ChannelEngine
  readonly account: Account
  readonly provider: ChannelProvider
  /** Makes the customer's request. */
  readonly write: (event: Parameters<OwnServerFixture["request"]>[1]) => Effect.Effect<void>
}

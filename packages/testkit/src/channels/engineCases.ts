import assert from "node:assert/strict"
import { type ChannelProvider, type Receipt, SendOutcome } from "@parley/core"
import { Deferred, Effect, FastCheck, type Scope } from "effect"
import { type ChannelEngine, channelEngine } from "./ChannelEngine.js"
import { type ChannelFixture, type Lacks, lacks, type WebhookFixture } from "./ChannelFixture.js"
import { type ContractCase, isLacking } from "./ContractCase.js"
import { choiceTimings, wholeSeconds } from "./choiceTimings.js"
import { accepted } from "./opened.js"
import { VendorEvent } from "./VendorEvent.js"
import { anyWebhook, type CalledWebhook, webhookCase } from "./webhookCase.js"

type Status = Receipt["status"]

/** The engine's handling of the vendor's requests, in any order and with repetitions. */
export const engineCases = <Vendor>(fixture: ChannelFixture<Vendor>): ReadonlyArray<ContractCase> => {
  const [{ normalised: customer, vendor: spelled }] = fixture.handles.good

  /** A case in an engine whose customer has just written. `hearing`: the receiver of the vendor's requests. */
  const inEngine = <Facet>(
    name: string,
    facet: (webhook: WebhookFixture) => Facet | Lacks,
    run: (world: EngineWorld<Vendor>, facet: Facet) => Effect.Effect<void, unknown, Scope.Scope>,
    deliveredTo: (called: CalledWebhook<Vendor>) => ChannelProvider = ({ provider }) => provider
  ): ContractCase =>
    webhookCase(fixture, name, facet, (called, facet) =>
      Effect.gen(function* () {
        const { send } = called.provider
        const engine = yield* channelEngine({ ...deliveredTo(called), send }, called.account)
        yield* engine.call(called.request([called.message(1)]))
        const tell = (id: string, providerMessageId: string, status: Status) =>
          Effect.flatMap(wholeSeconds, (at) => {
            const receipt = VendorEvent.Receipt({ providerMessageId, messageId: id, to: spelled, status, at })
            return engine.call(called.request([receipt]))
          })
        yield* run({ ...called, engine, tell }, facet)
      })
    )

  return [
    inEngine(
      "stores a message once if it is delivered twice",
      anyWebhook,
      ({ engine, message, request }, { layouts }) =>
        Effect.gen(function* () {
          const twice = request([message(2)])
          yield* Effect.all([engine.call(twice), engine.call(twice)], { concurrency: "unbounded" })
          yield* engine.call(twice)
          const [layout] = isLacking(layouts) ? [] : layouts
          if (layout !== undefined) yield* engine.call(request([message(2), message(2), message(1)], layout))
          const bodies = (yield* engine.inbound(customer)).map(({ body }) => body)
          assert.deepEqual(bodies.sort(), [message(1).text, message(2).text])
        })
    ),
    inEngine("advances a message by its receipts, in any order", progress, (world, statuses) =>
      Effect.gen(function* () {
        const { engine, tell } = world
        const orders = FastCheck.shuffledSubarray([...statuses, ...statuses], { minLength: 2 * statuses.length })
        for (const order of FastCheck.sample(orders, { seed: 1, numRuns: 6 })) {
          const id = yield* engine.send(customer)
          const { providerMessageId } = yield* engine.settled(id)
          for (const status of order) yield* tell(id, providerMessageId ?? "", status)
          assert.equal((yield* engine.message(id)).status, statuses.at(-1), order.join(", "))
        }
      })
    ),
    inEngine(
      "keeps a receipt that precedes the send's response",
      progress,
      ({ engine, tell }, statuses) =>
        Effect.gen(function* () {
          const furthest = statuses.at(-1) ?? "sent"
          const id = yield* engine.send(customer, (outcome, { id }) =>
            Effect.as(tell(id, accepted(outcome), furthest), outcome)
          )
          assert.equal((yield* engine.settled(id)).status, furthest)
        }),
      // As on another host, which does not know the sent messages.
      ({ vendor }) => fixture.provider(vendor)
    ),
    inEngine("does not change the status after a failure", failureAndProgress, ({ engine, tell }, statuses) =>
      Effect.gen(function* () {
        const id = yield* engine.send(customer)
        const { providerMessageId } = yield* engine.settled(id)
        for (const status of ["failed", ...statuses] as const) yield* tell(id, providerMessageId ?? "", status)
        const { error, status } = yield* engine.message(id)
        assert.deepEqual([status, error === null], ["failed", false])
      })
    ),
    inEngine("resolves a send with a lost response by our own id", byOwnId, ({ engine, tell }, statuses) =>
      Effect.gen(function* () {
        const furthest = statuses.at(-1) ?? "sent"
        const taken = yield* Deferred.make<string>()
        const id = yield* engine.send(customer, (outcome) =>
          Effect.as(Deferred.succeed(taken, accepted(outcome)), SendOutcome.Unknown({ reason: "the answer was lost" }))
        )
        yield* tell(id, yield* Deferred.await(taken), furthest)
        assert.equal((yield* engine.settled(id)).status, furthest)
      })
    ),
    inEngine(
      "tells the first press of a question's option from repeated and late ones",
      ({ presses = lacks("the channel has no options") }) => presses,
      ({ account, engine, provider }, request) =>
        choiceTimings(engine, provider.capabilities(account.connection), customer, (press) =>
          request(account, { ...press, from: spelled })
        )
    ),
    inEngine(
      "sends a question as numbered text, and reads a number as the choice of its option",
      numbered(fixture),
      ({ engine, message, request, taken }) =>
        Effect.gen(function* () {
          const question = yield* engine.settled(yield* engine.ask(customer, ["small", "large"]))
          assert.equal(question.type, "choices")
          if (typeof fixture.sends.taken === "function") {
            assert.match(taken().at(-1)?.text ?? "", /^Which one\?\n1\. small\n2\. large(\n|$)/)
          }
          yield* engine.call(request([message(2, "2")]))
          // The question is answered.
          yield* engine.call(request([message(3, "1")]))
          const answers = (yield* engine.inbound(customer)).flatMap(({ body, content, envelope, type }) =>
            body === message(1).text ? [] : [{ body, content, question: envelope?.quoted?.messageId ?? null, type }]
          )
          assert.deepEqual(
            answers.sort((one, other) => one.type.localeCompare(other.type)),
            [
              {
                body: "large",
                content: { type: "choice", id: "large", title: "large", timing: "first" },
                question: question.id,
                type: "choice"
              },
              { body: "1", content: null, question: null, type: "text" }
            ]
          )
        })
    ),
    inEngine("advances all messages before a watermark", watermarks, ({ engine, request }, statuses) =>
      Effect.gen(function* () {
        for (const status of statuses) {
          const ids = [yield* engine.send(customer), yield* engine.send(customer)]
          const mark = (upTo: number) =>
            engine.call(request([VendorEvent.Watermark({ handle: spelled, status, upTo })]))
          const states = Effect.forEach(ids, (id) => Effect.map(engine.settled(id), ({ status }) => status))
          const before = yield* states
          yield* mark((yield* wholeSeconds) - 3_600_000)
          assert.deepEqual(yield* states, before)
          yield* mark(yield* wholeSeconds)
          assert.deepEqual(yield* states, [status, status])
        }
      })
    )
  ]
}

interface EngineWorld<Vendor> extends CalledWebhook<Vendor> {
  readonly engine: ChannelEngine
  /** Reports a receipt of a message, with the current time. */
  readonly tell: (id: string, providerMessageId: string, status: Status) => Effect.Effect<void>
}

/** For channels whose questions are numbered text: they carry no choices. */
const numbered =
  ({ sends: { contents } }: Pick<ChannelFixture<never>, "sends">) =>
  (webhook: WebhookFixture): WebhookFixture | Lacks =>
    !isLacking(contents) && contents.some(({ content }) => content.type === "choices")
      ? lacks("the channel has choices of its own")
      : webhook

const steps: ReadonlyArray<Status> = ["sent", "delivered", "read"]

/** The statuses that the vendor reports per message, in order. */
const progress = ({ receipts }: WebhookFixture): ReadonlyArray<Status> | Lacks => {
  if (isLacking(receipts)) return receipts
  const reported = steps.filter((step) => receipts.includes(step))
  return reported.length > 0 ? reported : lacks("the vendor reports no progress by message")
}

const failureAndProgress = (webhook: WebhookFixture): ReadonlyArray<Status> | Lacks =>
  isLacking(webhook.receipts) || webhook.receipts.includes("failed")
    ? progress(webhook)
    : lacks("the vendor reports no failures")

const byOwnId = (webhook: WebhookFixture): ReadonlyArray<Status> | Lacks =>
  isLacking(webhook.ownIds) ? webhook.ownIds : progress(webhook)

const watermarks = (webhook: WebhookFixture): WebhookFixture["watermarks"] => webhook.watermarks

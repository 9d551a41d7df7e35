import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { changes, Engine, isPresenceJob, row, Storage, Subscriptions, signature } from "@parley/core"
import { Effect, Layer, ManagedRuntime, Scope } from "effect"
import { type RoundResult, rateOf } from "../measuring/RoundResult.js"
import { endpointsAt, signingSecret } from "../world/deliveries.js"
import { idleEngineOn } from "../world/parley.js"
import type { Store } from "../world/Store.js"
import { applicationId, type Seed, seed, workspaceId } from "../world/seed.js"
import { writeWaiting } from "../world/writeWaiting.js"
import { answerOrders, settingOf } from "./answerOrders.js"

/**
 * How events reach a function of the engine's process: by a subscription, or by webhooks to a server of the process.
 */
export interface SubscriptionsSetting {
  readonly store: Store
  readonly seed: Seed
  readonly by: "subscription" | "webhook"
}

/** Handles a number of waiting events. */
export interface SubscriptionsOrder {
  readonly waiting: number
}

const { by, seed: given, store } = settingOf<SubscriptionsSetting>()
await seed(store, given)
const runtime = ManagedRuntime.make(idleEngineOn(store))
const storage = await runtime.runPromise(Storage)

let handled = 0
/** The function: it parses the event, as every receiver does. */
const handle = (body: string): void => {
  if (typeof JSON.parse(body).data.message.id === "string") handled++
}

const server = createServer((request, response) => {
  const chunks: Array<Buffer> = []
  request.on("data", (chunk: Buffer) => chunks.push(chunk))
  request.on("end", () => {
    const body = Buffer.concat(chunks).toString("utf8")
    const expected = signature(signingSecret, Number(request.headers["x-webhook-timestamp"]), body)
    response.statusCode = request.headers["x-webhook-signature"] === expected ? 204 : 401
    if (response.statusCode === 204) handle(body)
    response.end()
  })
})

const webhookEndpoint = async (): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const [endpoint] = endpointsAt([`http://127.0.0.1:${(server.address() as AddressInfo).port}/`])
  if (endpoint === undefined) throw new Error("there is no endpoint")
  await runtime.runPromise(storage.commit(changes(workspaceId, { inserts: [row("endpoints", endpoint)] })))
  return endpoint.id
}

const subscription = async (): Promise<string> => {
  const { subscribe } = await runtime.runPromise(Subscriptions)
  const subscribed = subscribe({
    owner: { applicationId },
    name: "bench",
    events: ["*"],
    since: null,
    ordered: null,
    concurrency: 256,
    subscriber: (body) => Effect.sync(() => handle(body))
  })
  // As long as the process.
  return (await runtime.runPromise(Scope.extend(subscribed, await Effect.runPromise(Scope.make())))).id
}

const lane = by === "subscription" ? "subscriptions" : "deliveries"
const endpointId = by === "subscription" ? await subscription() : await webhookEndpoint()

const untilWorkedOff: Effect.Effect<void, unknown> = Effect.suspend(() =>
  // By due time: jobs have no index by lane and id, and the query would take a quarter of the statements' time.
  Effect.flatMap(storage.listJobs({ lane, workspaceId: null }, null, 2), (jobs) =>
    jobs.every(isPresenceJob) ? Effect.void : Effect.delay(untilWorkedOff, 50)
  )
)

answerOrders<SubscriptionsOrder>(({ waiting }) =>
  runtime.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        yield* writeWaiting(storage, [endpointId], waiting, lane)
        const before = handled
        yield* Layer.build(Engine.worker)
        const [cpu, start] = [process.cpuUsage(), performance.now()]
        yield* untilWorkedOff
        const elapsedMs = performance.now() - start
        const { system, user } = process.cpuUsage(cpu)
        if (handled - before !== waiting) return yield* Effect.dieMessage(`${handled - before} of ${waiting} events`)
        const round: RoundResult = rateOf(waiting, elapsedMs, user + system)
        return round
      })
    )
  )
)

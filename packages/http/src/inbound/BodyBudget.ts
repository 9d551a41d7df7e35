import { type Refusal, refuse } from "@parley/core"
import { Data, Deferred, Effect } from "effect"
import type { Incoming } from "../server/Incoming.js"

/** Limits the memory and the time for bodies of requests that are not yet verified. */
export interface BodyBudget {
  /**
   * Reads a body and runs `use` with it. Bytes count against the budget while they arrive, until `use` ends. If the
   * budget is exceeded, the slowest body that is still arriving fails with `service_unavailable`: no body waits. Fails
   * with {@link BodyTimedOut} if the body stalls, or does not end in time. `announced`: the `Content-Length`, null if
   * it is unknown. Small bodies are exempt while {@link smallRoom} lasts.
   */
  readonly within: <A, B, E, F>(
    sender: Sender,
    announced: number | null,
    read: (onBytes?: OnBytes) => Effect.Effect<A, E>,
    use: (body: A) => Effect.Effect<B, F>
  ) => Effect.Effect<B, E | F | Refusal | BodyTimedOut>
}

/** Sender of a body. Each connection and each address has a share of the budget. */
export interface Sender {
  readonly connection: string
  readonly address: string
}

/** A body did not arrive in time. */
export class BodyTimedOut extends Data.TaggedError("BodyTimedOut") {}

type OnBytes = NonNullable<Parameters<Incoming["body"]>[1]>

/** In bytes: ordinary webhooks are smaller. */
export const smallBody = 65_536

/**
 * Bytes that concurrent small bodies may announce without counting against the budget. Ordinary webhooks so need no
 * timers, and large bodies do not get them refused. Small bodies beyond it count like large ones: clients that announce
 * small bodies and send nothing use up this room, but not the budget.
 */
export const smallRoom = 16 * 1_048_576

/** Part of the budget of one connection or one address that is protected from other senders. */
const share = 1 / 4

/** In ms. A body stalls if fewer than {@link minimumBytes} arrive in this time. */
const checkEvery = 5_000

const minimumBytes = 65_536

/** Maximum time of a body: 30 s. */
const checks = 6

/** In ms. Bytes lose their weight in the current rate by the factor e in this time. */
const rateDecay = 250

/** A body in memory. */
interface Body extends Sender {
  readonly evicted: Deferred.Deferred<never, Refusal>
  isArriving: boolean
  received: number
  /** Bytes that count against the budget. */
  held: number
  /** Bytes that arrived recently, as of {@link lastAt}. */
  recent: number
  lastAt: number
}

/** Creates a budget of `room` bytes. */
export const makeBodyBudget = (room: number): BodyBudget => {
  const bodies = new Set<Body>()
  let held = 0
  let small = 0

  const exempt = <B, F>(announced: number, answer: Effect.Effect<B, F>): Effect.Effect<B, F> =>
    Effect.acquireUseRelease(
      Effect.sync(() => {
        small += announced
      }),
      () => answer,
      () =>
        Effect.sync(() => {
          small -= announced
        })
    )

  const hold = (body: Body, bytes: number): void => {
    held += bytes - body.held
    body.held = bytes
  }
  const leave = (body: Body): void => {
    if (bodies.delete(body)) held -= body.held
  }

  /** Refuses bodies until the others fit: first those of senders above their share. A single body always fits. */
  const makeRoom = (now: number): void => {
    while (held > room) {
      const counted = [...bodies].filter(({ held }) => held > 0)
      const arriving = counted.filter(({ isArriving }) => isArriving)
      if (counted.length === 1 || arriving.length === 0) return
      const bySender = new Map<string, number>()
      for (const body of counted) {
        for (const key of sendersOf(body)) bySender.set(key, (bySender.get(key) ?? 0) + body.held)
      }
      const above = arriving.filter((body) => sendersOf(body).some((key) => (bySender.get(key) ?? 0) > room * share))
      const slowest = (above.length > 0 ? above : arriving).reduce((slow, body) =>
        rateAt(body, now) < rateAt(slow, now) ? body : slow
      )
      leave(slowest)
      Deferred.unsafeDone(slowest.evicted, tooMany)
    }
  }

  const enter = (sender: Sender) =>
    Effect.map(Deferred.make<never, Refusal>(), (evicted) => {
      const body: Body = { ...sender, evicted, isArriving: true, received: 0, held: 0, recent: 0, lastAt: 0 }
      bodies.add(body)
      return body
    })

  const counted: BodyBudget["within"] = (sender, _, read, use) =>
    Effect.acquireUseRelease(
      enter(sender),
      (body) =>
        Effect.clockWith((clock) => {
          const onBytes: OnBytes = (received, kept) => {
            if (!bodies.has(body)) return
            const now = clock.unsafeCurrentTimeMillis()
            body.recent = rateAt(body, now) + received - body.received
            body.lastAt = now
            body.received = received
            hold(body, kept)
            makeRoom(now)
          }
          const refused = Effect.raceFirst(
            Effect.interruptible(Deferred.await(body.evicted)),
            Effect.interruptible(stalling(body))
          )
          // Interruptible again: `@effect/platform` runs handlers in an uninterruptible region.
          return Effect.raceFirst(Effect.interruptible(read(onBytes)), Effect.interruptible(refused))
        }).pipe(
          Effect.tap(() => {
            body.isArriving = false
          }),
          Effect.flatMap(use)
        ),
      (body) => Effect.sync(() => leave(body))
    )

  return {
    within: (sender, announced, read, use) =>
      Effect.suspend(() =>
        announced !== null && announced <= smallBody && small + announced <= smallRoom
          ? exempt(announced, Effect.flatMap(read(), use))
          : counted(sender, announced, read, use)
      )
  }
}

const sendersOf = ({ address, connection }: Sender) => [`connection ${connection}`, `address ${address}`]

const tooMany = refuse("service_unavailable", {}, "Too many large requests are under way.")

const rateAt = ({ lastAt, recent }: Body, now: number): number => recent * Math.exp((lastAt - now) / rateDecay)

/** Fails when the body stalls, or at the deadline. */
const stalling = (body: Body): Effect.Effect<never, BodyTimedOut> =>
  Effect.gen(function* () {
    let before = 0
    for (let check = 0; check < checks; check++) {
      yield* Effect.sleep(checkEvery)
      if (body.received - before < minimumBytes) break
      before = body.received
    }
    return yield* new BodyTimedOut()
  })

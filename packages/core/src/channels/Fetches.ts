import { Clock, Context, Effect, Layer } from "effect"
import type { Refusal } from "../errors/Refusal.js"
import { minute, second } from "../Instant.js"
import { changes } from "../ports/Changes.js"
import { type ChannelProvider, ChannelProviders, type ProviderUnavailable } from "../ports/ChannelProvider.js"
import { SecretBox } from "../ports/SecretBox.js"
import { type CommitError, readById, Storage } from "../ports/Storage.js"
import type { Job } from "../worker/Job.js"
import type { Connection } from "./Connection.js"
import { openCredentials } from "./openCredentials.js"

/** Asks providers for what they do not bring: the work of the lane `fetches`. */
export interface Fetches {
  readonly run: (job: Job) => Effect.Effect<void, Refusal | CommitError>
}
export const Fetches = Context.GenericTag<Fetches>("@parley/core/Fetches")

/** A connection with all that it takes to ask its provider. */
export interface Reach {
  readonly connection: Connection
  readonly provider: ChannelProvider
  /** Opened. */
  readonly credentials: unknown
}

/** When a job is to be done again, and what it needs to know then. */
export interface Again {
  readonly inMs: number
  readonly payload: Job["payload"]
}

/** Does what a job asks for; answers null when it is done for good. May be done twice. */
export type Fetch = (job: Job, reach: Reach) => Effect.Effect<Again | null, ProviderUnavailable | Refusal | CommitError>

/** Before the next try at a vendor that does not answer: from 2 s, doubling, at most 10 min. */
const backoff = (attempts: number): number => Math.min(2 * second * 2 ** Math.max(0, attempts - 1), 10 * minute)

const make = Effect.gen(function* () {
  const storage = yield* Storage
  const providers = yield* ChannelProviders
  const secretBox = yield* SecretBox

  /** By the `task` of a job's payload. */
  const tasks: { readonly [task: string]: Fetch } = {}

  const settle = (job: Job, again: Again | null) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) =>
      storage.commit(
        changes(job.workspaceId, {
          settle: {
            jobId: job.id,
            epoch: job.epoch,
            again: again === null ? null : { runAt: now + again.inMs, lane: job.lane, payload: again.payload }
          }
        })
      )
    )

  return Fetches.of({
    run: (job) =>
      Effect.gen(function* () {
        const fetch = tasks[`${job.payload?.task}`]
        // It stays in the queue: a host of a newer version may know it.
        if (fetch === undefined) return yield* Effect.dieMessage(`there is no fetch ${job.payload?.task}`)
        const connection = yield* readById(storage, "connections", job.subject)
        if (connection === undefined) return yield* Effect.asVoid(settle(job, null))
        const later: Again = { inMs: backoff(job.attempts), payload: job.payload }
        const provider = providers.byKind.get(connection.provider)
        // Another host may have it.
        if (provider === undefined) return yield* Effect.asVoid(settle(job, later))
        const again = yield* openCredentials(secretBox, connection).pipe(
          Effect.flatMap((credentials) => fetch(job, { connection, provider, credentials })),
          Effect.catchTags({
            ProviderUnavailable: ({ reason }) => Effect.as(Effect.logWarning(`a fetch failed: ${reason}`), later),
            SecretUnreadable: ({ reason }) => Effect.as(Effect.logWarning(`a fetch failed: ${reason}`), later)
          })
        )
        yield* settle(job, again)
      })
  })
})

export const layer: Layer.Layer<Fetches, never, Storage | ChannelProviders | SecretBox> = Layer.effect(Fetches, make)

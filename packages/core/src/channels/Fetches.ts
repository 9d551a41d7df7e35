import { Clock, Context, Effect, Layer } from "effect"
import { fetchFile } from "../attachments/fetchFile.js"
import { fetchProfile } from "../contacts/fetchProfile.js"
import { Decider } from "../Decider.js"
import { EngineSettings } from "../EngineSettings.js"
import type { Refusal } from "../errors/Refusal.js"
import { minute, second } from "../Instant.js"
import { Inbound } from "../inbound/Inbound.js"
import { Blobs } from "../ports/Blobs.js"
import { changes } from "../ports/Changes.js"
import { ChannelProviders } from "../ports/ChannelProvider.js"
import { Ids } from "../ports/Ids.js"
import { SecretBox } from "../ports/SecretBox.js"
import { type CommitError, readById, Storage } from "../ports/Storage.js"
import { backoff } from "../worker/backoff.js"
import type { Job } from "../worker/Job.js"
import type { Fetch, Fetched } from "./Fetch.js"
import { openCredentials } from "./openCredentials.js"
import { poll } from "./poll.js"
import { templateSync } from "./takeTemplates.js"

/** Asks providers for what they do not bring: the work of the lane `fetches`. */
export interface Fetches {
  readonly run: (job: Job) => Effect.Effect<void, Refusal | CommitError>
}
export const Fetches = Context.GenericTag<Fetches>("@parley/core/Fetches")

/** Before the next try at a vendor that does not answer. */
const pause = backoff(2 * second, 10 * minute)

const make = Effect.gen(function* () {
  const storage = yield* Storage
  const providers = yield* ChannelProviders
  const secretBox = yield* SecretBox
  const decider = yield* Decider
  const inbound = yield* Inbound
  const ids = yield* Ids
  const blobs = yield* Blobs
  const { attachments } = yield* EngineSettings

  /** By the `task` of a job's payload. */
  const tasks: { readonly [task: string]: Fetch } = {
    fetch_file: fetchFile(storage, blobs, decider, attachments),
    fetch_profile: fetchProfile(storage, decider),
    poll: poll(inbound, ids),
    sync_templates: templateSync(storage, decider)
  }

  const settle = (job: Job, fetched: Fetched | null) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const { again, parts = {} } = fetched ?? { again: null }
      const next = again && { runAt: now + again.inMs, lane: job.lane, payload: again.payload }
      return storage.commit(
        changes(job.workspaceId, parts, { settle: { jobId: job.id, epoch: job.epoch, again: next } })
      )
    })

  return Fetches.of({
    run: (job) =>
      Effect.gen(function* () {
        const fetch = tasks[`${job.payload?.task}`]
        // It stays in the queue: a host of a newer version may know it.
        if (fetch === undefined) return yield* Effect.dieMessage(`there is no fetch ${job.payload?.task}`)
        const connection = yield* readById(storage, "connections", job.subject)
        if (connection === undefined) return yield* Effect.asVoid(settle(job, null))
        const later: Fetched = { again: { inMs: pause(job.attempts), payload: job.payload } }
        const provider = providers.byKind.get(connection.provider)
        // Another host may have it.
        if (provider === undefined) return yield* Effect.asVoid(settle(job, later))
        const fetched = yield* openCredentials(secretBox, connection).pipe(
          Effect.flatMap((credentials) => fetch(job, { connection, provider, credentials })),
          Effect.catchTags({
            ProviderUnavailable: ({ reason }) => Effect.as(Effect.logWarning(`a fetch failed: ${reason}`), later),
            BlobsUnavailable: ({ reason }) => Effect.as(Effect.logError(`a fetch failed: ${reason}`), later),
            SecretUnreadable: ({ reason }) => Effect.as(Effect.logWarning(`a fetch failed: ${reason}`), later)
          })
        )
        yield* settle(job, fetched)
      })
  })
})

export const layer: Layer.Layer<
  Fetches,
  never,
  Storage | ChannelProviders | SecretBox | Decider | Ids | Inbound | Blobs | EngineSettings
> = Layer.effect(Fetches, make)

import { Clock, Context, Effect } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import { Decider } from "../../kernel/Decider.js"
import { EngineSettings } from "../../kernel/EngineSettings.js"
import type { Connection } from "../../model/Connection.js"
import { minute, second } from "../../model/Instant.js"
import type { Job } from "../../model/Job.js"
import { Blobs, type BlobsUnavailable } from "../../ports/Blobs.js"
import { changes, expect, settleJob } from "../../ports/Changes.js"
import { ChannelProviders } from "../../ports/ChannelProvider.js"
import { HttpSender } from "../../ports/HttpSender.js"
import { Ids } from "../../ports/Ids.js"
import { SecretBox } from "../../ports/SecretBox.js"
import { type CommitError, readById, Storage } from "../../ports/Storage.js"
import { backoff } from "../../queue/backoff.js"
import { unreadableFailure } from "../../queue/postponeUntilReadable.js"
import { fetchFile } from "../../resources/attachments/fetchFile.js"
import { type Fetch, type FetchResult, failedPayload } from "../../resources/channels/Fetch.js"
import { openCredentials } from "../../resources/channels/openCredentials.js"
import { isRecurring } from "../../resources/channels/recurringJobs.js"
import { fetchProfile } from "../../resources/contacts/fetchProfile.js"
import { Inbound } from "../inbound/Inbound.js"
import { fetchMessageFiles } from "./fetchMessageFiles.js"
import { templateRefresh, templateSync } from "./fetchTemplates.js"
import { poll } from "./poll.js"

/**
 * Fetches from vendors what their webhooks do not contain, and the files of messages to send: the
 * handler of the lanes `fetches` and `downloads`.
 */
export interface Fetches {
  readonly run: (job: Job) => Effect.Effect<void, Refusal | CommitError | BlobsUnavailable>
}
export const Fetches = Context.GenericTag<Fetches>("@parley/core/Fetches")

/** Delay before the next try after a vendor error. */
const pause = backoff(2 * second, 10 * minute)

export const make = Effect.gen(function* () {
  const storage = yield* Storage
  const providers = yield* ChannelProviders
  const secretBox = yield* SecretBox
  const decider = yield* Decider
  const inbound = yield* Inbound
  const ids = yield* Ids
  const blobs = yield* Blobs
  const sender = yield* HttpSender
  const { attachments } = yield* EngineSettings

  /** Handlers by the `task` of the job's payload. */
  const tasks: { readonly [task: string]: Fetch } = {
    fetch_file: fetchFile(storage, blobs, decider, attachments),
    fetch_message_files: fetchMessageFiles(storage, blobs, sender, ids, attachments),
    fetch_profile: fetchProfile(storage, providers.channels, decider),
    poll: poll(inbound, ids),
    refresh_templates: templateRefresh(storage, decider),
    sync_templates: templateSync(storage, decider)
  }

  const settle = (job: Job, fetched: FetchResult | null) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const { again, failure = null, onFenced = Effect.void, parts = [] } = fetched ?? { again: null }
      const next = again && {
        runAt: now + again.inMs,
        lane: again.lane ?? job.lane,
        subject: again.subject ?? job.subject,
        payload: again.payload,
        failure
      }
      return Effect.flatMap(
        storage.commit(changes(job.workspaceId, ...parts, { settle: settleJob(job, next) })),
        ({ _tag }) => (_tag === "Fenced" ? onFenced : Effect.void)
      )
    })

  return Fetches.of({
    run: (job) =>
      Effect.gen(function* () {
        const fetch = tasks[`${job.payload?.task}`]
        // The job stays in the queue: a host with a newer version may have the handler.
        if (fetch === undefined) return yield* Effect.dieMessage(`there is no fetch ${job.payload?.task}`)
        const connection = yield* readById(storage, "connections", connectionIdOf(job))
        if (connection === undefined) return yield* settle(job, null)
        const failures = job.attempts - Number(job.payload?.settled ?? 0)
        const later: FetchResult = { again: { inMs: pause(failures), payload: job.payload } }
        const provider = providers.byKind.get(connection.provider)
        // Another host may have the provider.
        if (provider === undefined) return yield* settle(job, later)
        // Files of senders are not the vendor's. If the credentials are unreadable, their send says so.
        const opens = job.payload?.task !== "fetch_message_files"
        const fetched = yield* (opens ? openCredentials(secretBox, connection) : Effect.succeed(null)).pipe(
          Effect.flatMap((credentials) => fetch(job, { connection, provider, credentials })),
          Effect.map((result) => succeeded(job, result)),
          Effect.catchTags({
            ProviderUnavailable: ({ reason }) =>
              Effect.zipWith(
                Effect.logWarning(`a fetch failed: ${reason}`),
                Clock.currentTimeMillis,
                (_, now): FetchResult => ({
                  again: { inMs: pause(failures), payload: failedPayload(job, reason, now) }
                })
              ),
            BlobsUnavailable: ({ reason }) => Effect.as(Effect.logError(`a fetch failed: ${reason}`), later),
            SecretUnreadable: ({ reason }) => {
              const error = `its connection's credentials cannot be opened: ${reason}`
              return Effect.zipWith(
                Effect.logWarning(`a fetch failed: ${error}`),
                Clock.currentTimeMillis,
                (_, now): FetchResult => ({ ...later, failure: unreadableFailure(job, error, now) })
              )
            }
          })
        )
        yield* settle(job, isRecurring(job) ? withSettings(connection, fetched) : fetched)
      })
  })
})

/**
 * Conflicts with a change of the connection, so that the job is executed again with its present settings: a change
 * makes waiting jobs due (`hastenJobs`), and not the one that runs.
 */
const withSettings = ({ id, version }: Connection, fetched: FetchResult | null): FetchResult | null =>
  fetched && {
    ...fetched,
    parts: [...(fetched.parts ?? []), { expects: [expect("connections", { id }, { version })] }]
  }

/** The subject of a download is not its connection, which it has in its payload. */
const connectionIdOf = ({ payload, subject }: Job): string =>
  typeof payload?.connectionId === "string" ? payload.connectionId : subject

/** A job that recurs counts its failures from its last success. */
const succeeded = (job: Job, fetched: FetchResult | null): FetchResult | null =>
  fetched === null || fetched.again === null
    ? fetched
    : { ...fetched, again: { ...fetched.again, payload: { ...fetched.again.payload, settled: job.attempts } } }

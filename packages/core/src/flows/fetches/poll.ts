import { Clock, Effect, Schema } from "effect"
import { notify } from "../../kernel/notify.js"
import type { Connection } from "../../model/Connection.js"
import { hour, type Instant, minute, second } from "../../model/Instant.js"
import { BlobsUnavailable } from "../../ports/Blobs.js"
import { type Polled, ProviderUnavailable } from "../../ports/ChannelProvider.js"
import type { Ids } from "../../ports/Ids.js"
import type { CommitError, StorageUnavailable } from "../../ports/Storage.js"
import { backoff } from "../../queue/backoff.js"
import { callProviderSafely } from "../../resources/channels/callProviderSafely.js"
import type { Fetch, FetchResult } from "../../resources/channels/Fetch.js"
import { endRecurringJob } from "../../resources/channels/recurringJobs.js"
import type { Inbound } from "../inbound/Inbound.js"

/** The payload of a poll job. */
const PollPayload = Schema.Struct({
  task: Schema.Literal("poll"),
  /** The provider's cursor; null before the first result. */
  cursor: Schema.optionalWith(Schema.Unknown, { default: () => null }),
  /** The current series of failed polls: its start and length; null if the last poll succeeded. */
  failing: Schema.optionalWith(Schema.NullOr(Schema.Struct({ since: Schema.Number, times: Schema.Number })), {
    default: () => null
  }),
  /** Whether the administrators were notified of this series. */
  told: Schema.optionalWith(Schema.Boolean, { default: () => false })
})
type PollPayload = typeof PollPayload.Type

/** How long polls may fail before the administrators are notified, in ms. */
const silenceLimit = hour

/** Delay before the next try after a failed poll. */
const pause = backoff(5 * second, 10 * minute)

/** Delay in ms before a disconnected connection is looked at again. */
const disconnectedPause = minute

/**
 * Polls a provider for events, also of a paused connection: a pause concerns sends only. While the connection is
 * disconnected, the provider is not called and the cursor is kept, so that nothing is read twice or left out
 * afterwards (docs/reference/channels.md#connection-status). Events are stored durably before the cursor advances; a
 * poll whose files cannot be stored has failed. After one hour of failed polls the administrators are notified, once
 * per series.
 */
export const poll = (inbound: Pick<Inbound, "take">, ids: Ids): Fetch => {
  const decode = Schema.decodeUnknownSync(PollPayload)
  return (job, { connection, credentials, provider }) =>
    Effect.gen(function* () {
      if (provider.poll === undefined) return { again: null, parts: [endRecurringJob(connection)] }
      const payload = decode(job.payload)
      if (connection.status === "disconnected") {
        return { again: { inMs: disconnectedPause, payload: { task: "poll", cursor: payload.cursor } } }
      }
      const at = yield* Clock.currentTimeMillis
      const { poll } = provider
      const polled = yield* Effect.either(
        callProviderSafely("poll", () => poll.call(provider, connection, credentials, payload.cursor, at)).pipe(
          Effect.filterOrFail(isPolled, () => new ProviderUnavailable({ reason: "its provider returned no events" }))
        )
      )
      if (polled._tag === "Left") {
        yield* Effect.logWarning(`a poll failed: ${polled.left.reason}`)
        return pollFailed(payload, connection, polled.left.reason, yield* Clock.currentTimeMillis, ids)
      }
      const { againInMs, cursor, events } = polled.right
      const problem = yield* inbound.take(connection, events).pipe(
        Effect.as(null),
        Effect.catchIf(isBlobFailure, ({ cause }) => Effect.succeed(cause.reason))
      )
      if (problem !== null) {
        const reason = `files cannot be stored: ${problem}`
        yield* Effect.logError(`a poll failed: ${reason}`)
        return pollFailed(payload, connection, reason, yield* Clock.currentTimeMillis, ids)
      }
      return { again: { inMs: Math.max(againInMs, 0), payload: { task: "poll", cursor } } }
    })
}

/** Whether a provider returned what its type promises: without a time, the connection would never be polled again. */
const isPolled = (polled: Polled): boolean => Array.isArray(polled?.events) && Number.isFinite(polled.againInMs)

const isBlobFailure = (error: CommitError): error is StorageUnavailable & { readonly cause: BlobsUnavailable } =>
  error._tag === "StorageUnavailable" && error.cause instanceof BlobsUnavailable

const pollFailed = (
  payload: PollPayload,
  connection: Connection,
  reason: string,
  now: Instant,
  ids: Ids
): FetchResult => {
  const failing = { since: payload.failing?.since ?? now, times: (payload.failing?.times ?? 0) + 1 }
  const { told: notified } = payload
  const notifies = !notified && now - failing.since >= silenceLimit
  const { id, name, workspaceId } = connection
  const notice = {
    workspaceId,
    applicationId: null,
    kind: "connection.silent",
    subjectId: id,
    message: `Polling the connection ${name} has failed for an hour: ${reason}. \`parley connection check ${id}\` tests it. Polling is retried meanwhile.`
  }
  return {
    again: { inMs: pause(failing.times), payload: { ...payload, failing, told: notified || notifies } },
    parts: notifies ? [{ inserts: notify(notice, now, ids) }] : []
  }
}

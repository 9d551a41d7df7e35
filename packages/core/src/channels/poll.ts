import { Clock, Duration, Effect, Schema } from "effect"
import { hour, type Instant, minute, second } from "../Instant.js"
import type { Inbound } from "../inbound/Inbound.js"
import { notify } from "../notifications/notify.js"
import type { Ids } from "../ports/Ids.js"
import { backoff } from "../worker/backoff.js"
import { asked } from "./asked.js"
import type { Connection } from "./Connection.js"
import type { Fetch, Fetched } from "./Fetch.js"
import { endStanding } from "./standingJobs.js"

/** Where a connection's poll stands. */
const PollPayload = Schema.Struct({
  task: Schema.Literal("poll"),
  /** The provider's; null before the first answer. */
  cursor: Schema.optionalWith(Schema.Unknown, { default: () => null }),
  /** Since when the vendor does not answer, and how often it did not; null while it does. */
  failing: Schema.optionalWith(Schema.NullOr(Schema.Struct({ since: Schema.Number, times: Schema.Number })), {
    default: () => null
  }),
  /** Whether the administrators know. */
  told: Schema.optionalWith(Schema.Boolean, { default: () => false })
})
type PollPayload = typeof PollPayload.Type

/** How long one poll may take: one that hung would be the connection's last. */
const longest = Duration.minutes(5)

/** How long a vendor may be silent before its administrators are told. */
const patience = hour

/** Before the next try at a vendor that does not answer. */
const pause = backoff(5 * second, 10 * minute)

/**
 * Asks a provider for news, over and over while its connection is active: what it brings is durably stored before the
 * cursor moves. A vendor that is silent for an hour is told to the administrators, once until it answers again.
 */
export const poll = (inbound: Pick<Inbound, "take">, ids: Ids): Fetch => {
  const decode = Schema.decodeUnknownSync(PollPayload)
  return (job, { connection, credentials, provider }) =>
    Effect.gen(function* () {
      if (provider.poll === undefined || connection.status !== "active") {
        return { again: null, parts: endStanding(connection) }
      }
      const payload = decode(job.payload)
      const at = yield* Clock.currentTimeMillis
      const { poll } = provider
      const polled = yield* Effect.either(
        asked("poll", longest, () => poll.call(provider, connection, credentials, payload.cursor, at))
      )
      if (polled._tag === "Left") {
        yield* Effect.logWarning(`a poll failed: ${polled.left.reason}`)
        return silent(payload, connection, polled.left.reason, yield* Clock.currentTimeMillis, ids)
      }
      const { againInMs, cursor, events } = polled.right
      yield* inbound.take(connection, events)
      return { again: { inMs: againInMs, payload: { task: "poll", cursor } } }
    })
}

const silent = (payload: PollPayload, connection: Connection, reason: string, now: Instant, ids: Ids): Fetched => {
  const failing = { since: payload.failing?.since ?? now, times: (payload.failing?.times ?? 0) + 1 }
  const tell = !payload.told && now - failing.since >= patience
  const { id, name, workspaceId } = connection
  const notice = {
    workspaceId,
    applicationId: null,
    kind: "connection.silent",
    subjectId: id,
    message: `Nothing was fetched for the connection ${name} in the last hour: ${reason}. \`parley connection check ${id}\` tries it; it is asked again and again meanwhile.`
  }
  return {
    again: { inMs: pause(failing.times), payload: { ...payload, failing, told: payload.told || tell } },
    parts: tell ? { inserts: notify(notice, now, ids) } : {}
  }
}

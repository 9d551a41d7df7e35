import { Clock, Effect, Either } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import type { Decider } from "../../kernel/Decider.js"
import { retryWhileUnavailable } from "../../kernel/retryWhileUnavailable.js"
import type { Connection } from "../../model/Connection.js"
import type { Instant } from "../../model/Instant.js"
import { changes } from "../../ports/Changes.js"
import type { SendRates } from "../../ports/ChannelProvider.js"
import { type CommitError, readById, type Storage } from "../../ports/Storage.js"
import { rewindVirtualTime } from "../../resources/channels/throttleHold.js"
import type { ReadySend } from "./handToProvider.js"
import { sendReadiness } from "./sendReadiness.js"

interface Services {
  readonly storage: Pick<Storage, "read" | "reserveSlot">
  readonly decideAndCommit: Decider["decideAndCommit"]
}

interface Readiness {
  /** With the slots that were reserved. */
  readonly ready: ReadySend
  /** Null: send now. */
  readonly until: Instant | null
}

/** Reserves the slots that the message needs, until it may be sent or must wait. */
export const awaitReadiness = (services: Services, ready: ReadySend): Effect.Effect<Readiness, Refusal | CommitError> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => {
    const { connection, progress, provider } = ready
    const step = sendReadiness(connection, ratesOf(provider, connection), progress, now)
    switch (step._tag) {
      case "Now":
        return Effect.succeed({ ready, until: null })
      case "Later":
        return Effect.succeed({ ready, until: step.until })
      case "Reserve":
        return Effect.flatMap(retryWhileUnavailable(services.storage.reserveSlot(step.reservation)), (slot) =>
          awaitReadiness(services, { ...ready, progress: { ...progress, [step.field]: slot } })
        )
      case "Rewind":
        return Effect.flatMap(retryWhileUnavailable(rewindConnection(services, connection, step.to)), (connection) =>
          awaitReadiness(services, { ...ready, connection })
        )
    }
  })

/** The send rates. Throws for one that no slot could be computed of, such as the NaN of a setting that is not there. */
const ratesOf = (provider: ReadySend["provider"], connection: Connection): SendRates | null => {
  const rates = provider.rates?.(connection) ?? null
  for (const rate of [rates?.connection, rates?.recipient]) {
    if (rate != null && ![rate.messages, rate.per, rate.burst].every((value) => value > 0 && value < Infinity)) {
      throw new RangeError(`rates of the provider ${provider.kind} must have positive numbers, or be null for no limit`)
    }
  }
  return rates
}

/** Rewinds the virtual time of the connection. Returns the current row: of several late sends, the first rewinds it. */
const rewindConnection = ({ decideAndCommit, storage }: Services, connection: Connection, to: Instant) => {
  const load = Effect.map(readById(storage, "connections", connection.id), (current) => current ?? connection)
  return Effect.zipRight(
    decideAndCommit(load, (current, now) =>
      Either.right({ changes: changes(current.workspaceId, rewindVirtualTime(current, to, now)), result: undefined })
    ),
    load
  )
}

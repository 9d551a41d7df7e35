import { Either } from "effect"
import { finish, free } from "../access/recall.js"
import { disconnect } from "../channels/disconnect.js"
import { optOut } from "../contacts/optOut.js"
import { recordContact } from "../contacts/recordContact.js"
import type { Decision } from "../Decider.js"
import type { Refusal } from "../errors/Refusal.js"
import type { Instant } from "../Instant.js"
import { advanceAll } from "../messages/advance.js"
import type { Message } from "../messages/Message.js"
import { recordProgress } from "../messages/recordProgress.js"
import { changes, type Parts, type Settle } from "../ports/Changes.js"
import type { SendOutcome } from "../ports/ChannelProvider.js"
import type { Ids } from "../ports/Ids.js"
import type { Job } from "../worker/Job.js"
import { nextTry } from "./nextTry.js"
import type { OutcomeWorld } from "./OutcomeWorld.js"
import { isRecorded, recordAcceptance } from "./recordAcceptance.js"
import type { Verdict } from "./Verdict.js"

/**
 * Writes down what came of handing a message to its provider (decisions.md §7, §8). What was observed is recorded whether
 * or not the lease of the job still holds. `resends`: the message may be sent again where it is unknown what became of it.
 */
export const recordOutcome = (
  world: OutcomeWorld,
  job: Job,
  outcome: SendOutcome,
  resends: boolean,
  now: Instant,
  ids: Ids
): Either.Either<Decision<Verdict>, Refusal> => {
  const { awaiting, message } = world
  const write = (verdict: Verdict, again: Settle["again"], ...parts: ReadonlyArray<Parts>) =>
    Either.right({
      changes: changes(message.workspaceId, { settle: { jobId: job.id, epoch: job.epoch, again } }, ...parts),
      result: verdict
    })
  const stillAwaiting = awaiting?.state === "awaiting" ? awaiting : undefined
  const answered = stillAwaiting === undefined ? {} : finish(stillAwaiting)
  // A receipt told more than the provider's answer.
  const isOver = message.status !== "queued"

  switch (outcome._tag) {
    case "Accepted":
      return write(
        { _tag: "Accepted", feed: placeOf(world) },
        null,
        answered,
        ...recordAcceptance(world, outcome, now, ids)
      )
    case "Rejected": {
      const told = rejectionTells(world, outcome, now, ids)
      if (isOver) return write(arrived, null, answered, ...told)
      const provider = { code: outcome.providerCode, message: outcome.providerMessage }
      const error = { code: outcome.code, message: "The provider rejected the message.", provider }
      return write(
        { _tag: "Rejected", freed: stillAwaiting !== undefined, outcome },
        null,
        stillAwaiting === undefined ? {} : free(stillAwaiting),
        failed(world, error, now, ids),
        ...told
      )
    }
    default: {
      const { again, told } = nextTry(world, job, outcome, resends, now, ids)
      if (isOver) return write(arrived, null, answered, told)
      if (again !== null) return write({ _tag: "Postponed" }, again, answered, told)
      const error = { code: "provider_error" as const, message: "The provider could not be reached in time." }
      return write({ _tag: "Postponed" }, null, answered, failed(world, error, now, ids))
    }
  }
}

const arrived: Verdict = { _tag: "Accepted", feed: null }

/** Where the message is in the feed of its customer. */
const placeOf = ({ feed, known }: OutcomeWorld): (Verdict & { readonly _tag: "Accepted" })["feed"] =>
  feed === undefined || isRecorded(known)
    ? null
    : { connectionId: feed.connectionId, handle: feed.handle, fed: feed.fed + 1 }

/** What a rejection tells of others than its message: the connection, or the recipient. */
const rejectionTells = (
  { connection, contact, subscribers }: OutcomeWorld,
  outcome: SendOutcome & { readonly _tag: "Rejected" },
  now: Instant,
  ids: Ids
): ReadonlyArray<Parts> => [
  connection === undefined ? {} : disconnect(connection, outcome, now, ids),
  contact === undefined || outcome.optOut === undefined
    ? {}
    : recordContact(optOut(contact, outcome.optOut, true), subscribers, now, ids)
]

/** The send of a held message whose outcome never became known (decisions.md §7): it fails. */
export const giveUp = (
  world: Pick<OutcomeWorld, "message" | "subscribers">,
  job: Job,
  now: Instant,
  ids: Ids
): Either.Either<Decision<null>, Refusal> =>
  Either.right({
    changes: changes(
      world.message.workspaceId,
      { settle: { jobId: job.id, epoch: job.epoch, again: null } },
      failed(world, { code: "provider_error", message: "What became of the message could not be learned." }, now, ids)
    ),
    result: null
  })

const failed = (
  { message, subscribers }: Pick<OutcomeWorld, "message" | "subscribers">,
  error: Message["error"],
  now: Instant,
  ids: Ids
): Parts => {
  const reached = advanceAll(message, [{ status: "failed", at: now, error }])
  return reached.length === 0 ? {} : recordProgress(message, reached, subscribers, now, ids)
}

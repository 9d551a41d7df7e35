import { Clock, Effect } from "effect"
import { retryWhileUnavailable } from "../../kernel/retryWhileUnavailable.js"
import type { Instant } from "../../model/Instant.js"
import type { Job } from "../../model/Job.js"
import type { SendOutcome } from "../../ports/ChannelProvider.js"
import type { Storage } from "../../ports/Storage.js"
import { leaseMs } from "../../queue/HeldLease.js"
import { type HandOverServices, handToProvider, type ReadySend } from "./handToProvider.js"

interface Services extends HandOverServices {
  readonly storage: Pick<Storage, "list" | "beginAttempt">
}

/**
 * Stores that the provider is called now, with a valid lease, and calls it. Returns the outcome and the number of
 * attempts; null without the lease: another process has claimed the job, or its message was erased. A provider that
 * dedupes needs no such record, because its messages are sent again: there, the time since the message was read tells
 * whether the lease may be lost.
 */
export const callProvider = (
  services: Services,
  job: Job,
  ready: ReadySend,
  readAt: Instant
): Effect.Effect<{ readonly outcome: SendOutcome; readonly attempts: number } | null> => {
  let attempts = job.attempts
  const store = (attempt: number) =>
    services.storage.beginAttempt({ jobId: job.id, epoch: job.epoch, owner: job.leaseOwner ?? "", attempt })
  const begin = ready.provider.dedupes
    ? Effect.map(Clock.currentTimeMillis, (now) => now - readAt < leaseMs)
    : Effect.suspend(() => {
        // Also if it cannot be stored, the attempt has an outcome: it was not made.
        attempts = Math.max(job.attempts, ready.progress.settled) + 1
        return retryWhileUnavailable(store(attempts))
      }).pipe(Effect.onInterrupt(() => Effect.ignore(store(job.attempts))))
  return Effect.map(handToProvider(services, ready, begin), (outcome) => outcome && { outcome, attempts })
}

import type { Mutant } from "./Mutant.js"

/** Faults of requests that applications write in transactions of their own. */
export const enqueuedMutants: ReadonlyArray<Mutant> = [
  {
    name: "enqueued-without-its-changes",
    fault: "An enqueued send is recorded as accepted, and its message is not stored.",
    promise: "one-effect-per-key",
    file: "core/src/flows/enqueued/Enqueued.ts",
    find: "[decided ?? {}, recordAccepted(job, answer, now)]",
    replacement: "[{}, recordAccepted(job, answer, now)]"
  },
  {
    name: "enqueued-without-its-outcome",
    fault: "An accepted request has no outcome.",
    promise: "enqueued-request-is-decided",
    file: "core/src/flows/enqueued/Enqueued.ts",
    find: "[decided ?? {}, recordAccepted(job, answer, now)]",
    replacement: "[decided ?? {}]"
  },
  {
    name: "enqueued-refusal-without-event",
    fault: "The application gets no event of a refusal.",
    promise: "event-delivered",
    file: "core/src/flows/enqueued/enqueuedOutcome.ts",
    find: "inserts: emit(subscribers, event, now, ids)",
    replacement: "inserts: []"
  },
  {
    name: "enqueued-event-with-another-key",
    fault: "The key of an enqueued event stands for one body, and not for one request.",
    promise: "one-effect-per-key",
    file: "core/src/flows/enqueued/Enqueued.ts",
    find: 'const idempotency = { key, fingerprint: fingerprint("POST", "/api/v1/events", body) }',
    replacement: 'const idempotency = { key: fingerprint(key, "/api/v1/events", body), fingerprint: key }'
  },
  {
    name: "claims-always-with-bounds",
    fault: "A request that is committed late, below the bound of the claims, is not found.",
    promise: "jobs-end",
    file: "core/src/queue/ClaimBounds.ts",
    find: "const sweepEveryMs = 5 * second",
    replacement: "const sweepEveryMs = Number.POSITIVE_INFINITY + second"
  }
]

import { catalogue, changes, type EnqueuedOutcome, row } from "@parley/core"
import { Effect, Exit } from "effect"
import type { EnqueuedOutcome as EnqueuedEntry } from "../audit/Journal.js"
import type { Hosts } from "./Hosts.js"
import type { Recorder } from "./Recorder.js"
import type { Action } from "./Step.js"
import { worldAt } from "./tenants.js"

/** Transactions of applications that write requests (docs/reference/enqueue.md). */
export interface Transactions {
  /**
   * Writes a request with this body in a transaction of a process, and commits it or not. The end of the process rolls
   * it back. Returns whether it is committed.
   */
  readonly enqueue: (planned: Extract<Action, { readonly type: "enqueue" }>, body: unknown) => Effect.Effect<boolean>
  /** Reads the outcomes that are not known yet. */
  readonly readOutcomes: Effect.Effect<void>
}

/** What an application reads. Null: Parley knows no such request. */
type Read = EnqueuedOutcome | { readonly status: null }

const answerOf = (outcome: Read): EnqueuedEntry["answer"] => {
  if (outcome.status === "accepted") return { status: 202, body: { data: outcome.response } }
  if (outcome.status === "refused") return { status: catalogue[outcome.error.code].status, body: outcome }
  return null
}

/** The application of a request whose outcome is not known, and what it is. */
interface Unknown {
  readonly id: string
  readonly name: string
  readonly kind: "send" | "event"
}

/** `onAccepted` gets the application's name and `data` of the response of a send that was accepted. */
export const makeTransactions = (
  serving: Hosts["serving"],
  recorder: Recorder,
  onAccepted: (application: string, response: unknown) => void
): Transactions => {
  /** By the ids of the requests. */
  const unknown = new Map<string, Unknown>()

  /** Runs an effect in a process. Null if it fails or the process ends before. */
  const runIn = <A>(
    index: number,
    use: (target: ReturnType<Hosts["serving"]>[number]) => Effect.Effect<A, unknown>
  ): Effect.Effect<A | null> =>
    Effect.suspend(() => {
      const targets = serving()
      const target = targets[index % targets.length]
      if (target === undefined) return Effect.succeed(null)
      return Effect.async<A | null>((resume) => {
        const ended = target.process.onCrash(() => resume(Effect.succeed(null)))
        target.process.fork(use(target)).addObserver((exit) => {
          ended()
          resume(Effect.succeed(Exit.isSuccess(exit) ? exit.value : null))
        })
      })
    })

  const enqueue: Transactions["enqueue"] = ({ commits, openMs, process: index, request }, body) => {
    const application = worldAt(0).applications.find(({ name }) => name === request.application)
    const { application: caller, key } = request
    const [kind, operation] =
      request.type === "send" ? (["send", "POST /messages"] as const) : (["event", "POST /events"] as const)
    if (application === undefined) return Effect.succeed(false)
    const written = runIn(index, ({ commit, interpreter, process }) =>
      Effect.gen(function* () {
        const prepared = { kind, key, body: body as { readonly [field: string]: unknown } }
        const job = yield* interpreter.enqueued.prepare(application.id, prepared, null)
        const { id } = job
        const common = { id, process: process.name, caller, body, commits }
        recorder.record({ kind: "enqueue", operation, idempotencyKey: key, ...common })
        unknown.set(id, { ...application, kind })
        yield* process.pass(openMs)
        if (!commits) return false
        yield* commit(changes(job.workspaceId, { inserts: [row("jobs", job)] }))
        recorder.record({ kind: "enqueued", id })
        return true
      })
    )
    return Effect.map(written, (isCommitted) => isCommitted === true)
  }

  const noteOutcome = (id: string, { kind, name }: Unknown, outcome: Read): void => {
    // Another reading may have come first.
    if (!unknown.has(id)) return
    recorder.record({ kind: "enqueued-outcome", id, status: outcome.status, answer: answerOf(outcome) })
    if (outcome.status === "accepted" && kind === "send") onAccepted(name, outcome.response)
    if (outcome.status === "accepted" || outcome.status === "refused") unknown.delete(id)
  }
  const readOutcome = (id: string, application: Unknown) =>
    runIn(0, ({ interpreter }) =>
      interpreter.enqueued.outcome(application.id, id).pipe(
        Effect.catchTag("Refusal", () => Effect.succeed({ status: null })),
        Effect.tap((outcome) => Effect.sync(() => noteOutcome(id, application, outcome)))
      )
    )
  const readOutcomes = Effect.suspend(() =>
    Effect.forEach([...unknown], ([id, application]) => readOutcome(id, application), { discard: true })
  )
  return { enqueue, readOutcomes }
}

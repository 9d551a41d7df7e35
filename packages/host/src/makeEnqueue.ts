import { Enqueued } from "@parley/core"
import * as Postgres from "@parley/postgres/driverless"
import * as Sqlite from "@parley/sqlite/driverless"
import { Effect } from "effect"
import type { CallersTransaction } from "./Enqueue.js"
import type { OpenTelemetry } from "./openTelemetry.js"
import type { Parley } from "./Parley.js"
import type { ValidatedOptions } from "./readOptions.js"
import { runPromise } from "./runPromise.js"

/** Requests in transactions of the caller. */
export const makeEnqueue = (
  storage: ValidatedOptions["storage"],
  activeSpan: OpenTelemetry["activeSpan"]
): Effect.Effect<Pick<Parley, "enqueue" | "enqueued">, never, Enqueued> =>
  Effect.gen(function* () {
    const enqueued = yield* Enqueued
    const call = yield* runPromise
    return {
      enqueue: async (transaction, { application, event, idempotencyKey = null, send }) => {
        if (storage._tag === "Layer") {
          throw new TypeError("parley.enqueue: give createParley the URL of the database as `storage`, not a layer")
        }
        if (storage.database._tag === "Sqlite" && !("query" in transaction)) {
          const problem = Sqlite.handleProblem(storage.database.file, transaction)
          if (problem !== null) throw new TypeError(`parley.enqueue: ${problem}`)
        }
        const request =
          send === undefined
            ? { kind: "event" as const, body: bodyOf(event), key: idempotencyKey }
            : { kind: "send" as const, body: bodyOf(send), key: idempotencyKey }
        const span = activeSpan()
        const prepared = enqueued.prepare(application, request)
        const job = await call(span === undefined ? prepared : Effect.withParentSpan(prepared, span))
        const { text, values } =
          storage.database._tag === "Sqlite"
            ? Sqlite.enqueueStatement(job)
            : Postgres.enqueueStatement(job, { schema: storage.database.schema ?? undefined })
        await execute(transaction, text, values)
        return { id: job.id }
      },
      enqueued: (applicationId, id) => call(enqueued.outcome(applicationId, id))
    }
  })

/** The body as its JSON is read: without undefined fields. */
const bodyOf = (given: unknown): { readonly [key: string]: unknown } => {
  if (typeof given !== "object" || given === null) {
    throw new TypeError(
      "parley.enqueue: give `send` (the body of POST /messages) or `event` (the body of POST /events)"
    )
  }
  return JSON.parse(JSON.stringify(given))
}

const execute = async (transaction: CallersTransaction, text: string, values: Array<unknown>): Promise<void> => {
  if ("query" in transaction) await transaction.query(text, values)
  else transaction.prepare(text).run(...values)
}

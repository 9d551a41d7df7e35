import { Enqueued } from "@parley/core"
import * as Postgres from "@parley/postgres/driverless"
import * as Sqlite from "@parley/sqlite/driverless"
import { Effect } from "effect"
import type { CallersTransaction } from "./Enqueue.js"
import type { InFlight } from "./InFlight.js"
import type { Database } from "./layers/Database.js"
import { areOptions, makeOptionReader, refuse } from "./OptionReader.js"
import type { OpenTelemetry } from "./openTelemetry.js"
import type { Parley } from "./Parley.js"
import type { ValidatedOptions } from "./readOptions.js"
import { runPromise } from "./runPromise.js"

/** Requests in transactions of the caller. */
export const makeEnqueue = (
  storage: ValidatedOptions["storage"],
  {
    activeSpan,
    inFlight
  }: { readonly activeSpan: OpenTelemetry["activeSpan"]; readonly inFlight: Pick<InFlight, "addCall"> }
): Effect.Effect<Pick<Parley, "enqueue" | "enqueued">, never, Enqueued> =>
  Effect.gen(function* () {
    const enqueued = yield* Enqueued
    const call = yield* runPromise
    return {
      enqueue: async (transaction, given) => {
        if (storage._tag === "Layer") {
          throw new TypeError("parley.enqueue: give createParley the URL of the database as `storage`, not a layer")
        }
        const problems = [...problemsOf(given), ...transactionProblems(storage.database, transaction)]
        refuse("enqueue", problems)
        const { application, event, idempotencyKey = null, send } = given
        const request =
          send === undefined
            ? { kind: "event" as const, body: jsonOf(event), key: idempotencyKey }
            : { kind: "send" as const, body: jsonOf(send), key: idempotencyKey }
        const span = activeSpan()
        const prepared = enqueued.prepare(application, request)
        const job = await inFlight.addCall(() =>
          call(span === undefined ? prepared : Effect.withParentSpan(prepared, span))
        )
        const { text, values } =
          storage.database._tag === "Sqlite"
            ? Sqlite.enqueueStatement(job)
            : Postgres.enqueueStatement(job, { schema: storage.database.schema ?? undefined })
        await execute(transaction, text, values)
        return { id: job.id }
      },
      enqueued: (applicationId, id) => inFlight.addCall(() => call(enqueued.outcome(applicationId, id)))
    }
  })

/** The body as its JSON is read: without undefined fields. */
const jsonOf = (body: unknown): { readonly [key: string]: unknown } => JSON.parse(JSON.stringify(body))

const requestNames = ["application", "event", "idempotencyKey", "send"]

/** Problems of a request, which may come from untyped JavaScript. */
const problemsOf = (given: unknown): ReadonlyArray<string> => {
  if (!areOptions(given)) return ["the request must be an object with `application`, and with `send` or `event`"]
  const { application, event, send } = given
  const isOne = (send === undefined) !== (event === undefined) && areOptions(send ?? event)
  const { known, problems } = makeOptionReader()
  known("", given, requestNames)
  return [
    ...problems,
    ...(typeof application === "string" ? [] : ["`application` must be the id of an application"]),
    ...(isOne ? [] : ["give either `send` (the body of POST /messages) or `event` (the body of POST /events)"])
  ]
}

/** Problems of a transaction on this database. */
const transactionProblems = (database: Database, given: unknown): ReadonlyArray<string> => {
  const { connect, idleCount, prepare, query } = areOptions(given) ? given : {}
  if (typeof connect === "function" && typeof idleCount === "number") {
    return ["the transaction is a pool, whose query() runs outside of your transaction: pass the client that ran BEGIN"]
  }
  if (typeof query === "function") return []
  if (database._tag !== "Sqlite") {
    return [
      "the transaction must have a function query(text, values), as a client of pg: for Drizzle, Kysely, Prisma and others see docs/embed.md#sending-in-your-own-transaction"
    ]
  }
  if (typeof prepare !== "function") {
    return ["the transaction must have a function prepare(text), as a handle of better-sqlite3, or query(text, values)"]
  }
  const problem = Sqlite.handleProblem(database.file, given as object)
  return problem === null ? [] : [problem]
}

const execute = async (transaction: CallersTransaction, text: string, values: Array<unknown>): Promise<void> => {
  if ("query" in transaction) await transaction.query(text, values)
  else transaction.prepare(text).run(...values)
}

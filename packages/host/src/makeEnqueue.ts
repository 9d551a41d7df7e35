import { randomUUID } from "node:crypto"
import { Enqueued, type Job } from "@parley/core"
import * as Postgres from "@parley/postgres/driverless"
import * as Sqlite from "@parley/sqlite/driverless"
import { Effect } from "effect"
import type { CallersTransaction } from "./Enqueue.js"
import { closedError, type InFlight } from "./InFlight.js"
import type { Database } from "./layers/Database.js"
import { areOptions, makeOptionReader, refuse } from "./OptionReader.js"
import type { OpenTelemetry } from "./openTelemetry.js"
import type { Parley } from "./Parley.js"
import type { ValidatedOptions } from "./readOptions.js"
import { runNow, runPromise } from "./runPromise.js"

/** Requests in transactions of the caller. */
export const makeEnqueue = (
  storage: ValidatedOptions["storage"],
  {
    activeSpan,
    inFlight
  }: { readonly activeSpan: OpenTelemetry["activeSpan"]; readonly inFlight: Pick<InFlight, "acceptsCalls" | "addCall"> }
): Effect.Effect<Pick<Parley, "enqueue" | "enqueued">, never, Enqueued> =>
  Effect.gen(function* () {
    const enqueued = yield* Enqueued
    const call = yield* runPromise
    const runAtOnce = yield* runNow
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
        if (!inFlight.acceptsCalls()) throw closedError()
        const span = activeSpan()
        const prepared = enqueued.prepare(application, request, workspaceOf(storage.database, transaction, application))
        const preparing = runAtOnce(span === undefined ? prepared : Effect.withParentSpan(prepared, span))
        // The statement runs before the caller's next one, unless the workspace of the application has to be read.
        const { job, token } =
          preparing instanceof Promise
            ? await within(transaction, inFlight, preparing)
            : { job: preparing, token: null }
        const { text, values } =
          storage.database._tag === "Sqlite"
            ? Sqlite.enqueueStatement(job)
            : Postgres.enqueueStatement(job, { schema: storage.database.schema ?? undefined, token })
        await execute(transaction, text, values)
        runAtOnce(enqueued.written)
        return { id: job.id }
      },
      enqueued: (applicationId, id) => inFlight.addCall(() => call(enqueued.outcome(applicationId, id)))
    }
  })

/**
 * On SQLite the workspace is read on the caller's handle, so that the row is written before the call returns: a
 * function of `database.transaction` of `better-sqlite3` cannot wait.
 */
const workspaceOf = (database: Database, transaction: CallersTransaction, application: string): string | null => {
  if (database._tag !== "Sqlite" || !("prepare" in transaction)) return null
  try {
    return Sqlite.workspaceIn(transaction, application)
  } catch (cause) {
    throw new TypeError(
      `parley.enqueue: the handle cannot read Parley's tables. Give one of Parley's file, ${database.file}`,
      { cause }
    )
  }
}

/**
 * The job, once it is prepared, and the token that marks the caller's transaction meanwhile: the job's row must be part
 * of it. Null if no transaction is known to be open, as newer versions of `pg` say of their clients.
 */
const within = async (
  transaction: CallersTransaction,
  { addCall }: Pick<InFlight, "addCall">,
  preparing: Promise<Job>
): Promise<{ readonly job: Job; readonly token: string | null }> => {
  const { getTransactionStatus }: { readonly getTransactionStatus?: unknown } = transaction as object
  const isOpen = typeof getTransactionStatus === "function" && getTransactionStatus.call(transaction) === "T"
  if (!isOpen) return { job: await addCall(() => preparing), token: null }
  const token = randomUUID()
  const { text, values } = Postgres.markTransaction(token)
  const [job] = await Promise.all([addCall(() => preparing), execute(transaction, text, values)])
  return { job, token }
}

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

import { stat } from "node:fs/promises"
import { Args, Options } from "@effect/cli"
import { maxImported } from "@parley/core"
import { Console, Effect, Schema } from "effect"
import type { AdminClient } from "./AdminClient.js"
import { apiCommand, needed, option, optionalChoice, workspaceOption } from "./apiCommand.js"
import { CommandFailed } from "./CommandFailed.js"
import { customFields } from "./contactFiles/customFields.js"
import { type FileRow, formatOf, readContacts, UnreadableFile } from "./contactFiles/readContacts.js"
import { type RejectedRows, rejectedRows } from "./contactFiles/rejectedRows.js"
import { exitCodes } from "./exitCodes.js"
import { printOne } from "./output.js"
import { withProgress } from "./progress.js"
import { resolvePath } from "./resolvePath.js"

/** The maximum size of one call, in UTF-16 units: the API accepts 1 MiB. */
const maxCallBytes = 250_000
/** The maximum number of keys in one call: the API accepts 20,000. */
const maxCallKeys = 15_000
/** The maximum number of rejected rows that are printed. */
const maxReported = 20

/** The counts of an import, by result. */
type Counts = { [result in (typeof Report.Type.results)[number]["result"]]: number }

const Report = Schema.Struct({
  results: Schema.Array(
    Schema.Struct({
      index: Schema.Number,
      result: Schema.Literal("created", "updated", "unchanged", "skipped", "refused"),
      details: Schema.Record({ key: Schema.String, value: Schema.Unknown })
    })
  )
})

export const importContacts = apiCommand(
  "import",
  "Import contacts from a CSV or NDJSON file whose columns have the names of a contact's fields. A repeated import does not duplicate contacts. Example: parley contact import customers.csv --dry-run Example: parley contact import customers.csv --update --errors rejected.csv",
  {
    dryRun: Options.boolean("dry-run").pipe(Options.withDescription("Print the result without writing anything")),
    update: Options.boolean("update").pipe(
      Options.withDescription("Update contacts whose handle exists (default: leave them unchanged)")
    ),
    errors: option("errors", "A file for the rejected rows, with the reasons"),
    format: optionalChoice("format", ["csv", "ndjson"], "The file's format (default: by the file's name)"),
    workspace: workspaceOption,
    file: Args.text({ name: "file" }).pipe(Args.withDescription("The file, ending in .csv or .ndjson"))
  },
  ({ dryRun, errors, file, format, update, workspace }, { client, json, target }) =>
    Effect.gen(function* () {
      const workspace_id = yield* needed("workspace", workspace, target)
      const kind = format ?? formatOf(file)
      if (kind === null) {
        return yield* new CommandFailed({
          message: `The name of ${file} does not show its format: give --format csv or --format ndjson`,
          code: exitCodes.misused
        })
      }
      if (errors !== null && (yield* isSameFile(resolvePath(errors), resolvePath(file)))) {
        return yield* new CommandFailed({
          message: `--errors would overwrite ${file}: name another file for the rejected rows`,
          code: exitCodes.misused
        })
      }
      const rejected = errors === null ? null : yield* written(errors, () => rejectedRows(resolvePath(errors), kind))
      const closed = rejected === null ? Effect.void : written(errors ?? "", rejected.close)
      const rows = readContacts(
        resolvePath(file),
        kind,
        () => Effect.runPromise(customFields(client, workspace_id)),
        rejected?.header
      )
      const call = { workspace_id, dry_run: dryRun, on_known: update ? "update" : "skip" }
      const counts = yield* withProgress(json, (report) =>
        importRows(client, call, rows, rejected, (done) => report(`${done.toLocaleString("en")} rows`))
      ).pipe(
        Effect.mapError((failed) => unfinished(file, failed)),
        Effect.ensuring(Effect.promise(async () => void (await rows.return(undefined)))),
        // The rows that were refused so far.
        Effect.onError(() => Effect.ignore(closed))
      )
      yield* closed
      yield* printOne(json, { dry_run: dryRun, ...counts })
      if (counts.refused > 0) {
        const where = errors === null ? "" : `; they are in ${errors}`
        return yield* new CommandFailed({ message: `${counts.refused} rows were refused${where}` })
      }
    })
)

/** Whether both paths name one existing file, also by links. */
const isSameFile = (one: string, other: string): Effect.Effect<boolean> =>
  Effect.promise(async () => {
    const [first, second] = await Promise.all([one, other].map((path) => stat(path).catch(() => null)))
    return first != null && second != null && first.dev === second.dev && first.ino === second.ino
  })

/** Imports rows in batches of the maximum size of a call, in contacts, characters and keys. */
const importRows = (
  client: AdminClient,
  call: { readonly [field: string]: unknown },
  rows: AsyncGenerator<FileRow>,
  rejected: RejectedRows | null,
  report: (done: number) => Effect.Effect<void>
): Effect.Effect<Counts, CommandFailed | UnreadableFile> =>
  Effect.gen(function* () {
    const counts: Counts = { created: 0, updated: 0, unchanged: 0, skipped: 0, refused: 0 }
    let waiting: Array<FileRow> = []
    let weight = 0
    let keys = 0

    const refuse = (row: FileRow, why: string) => {
      counts.refused += 1
      rejected?.add(row, why)
      return counts.refused <= maxReported ? Console.error(`row ${row.row}: ${why}`) : Effect.void
    }
    const flush = Effect.gen(function* () {
      const [batch, contacts] = [waiting, waiting.map(({ contact }) => contact)]
      waiting = []
      weight = 0
      keys = 0
      if (batch.length === 0) return
      const answer = yield* client.call("POST", "/contacts/import", { ...call, contacts })
      for (const { details, index, result } of Schema.decodeUnknownSync(Report)(answer).results) {
        const row = batch[index]
        if (result === "refused" && row !== undefined) yield* refuse(row, text(details))
        else counts[result] += 1
      }
      yield* report(Object.values(counts).reduce((one, other) => one + other))
    })

    for (let next = yield* nextOf(rows); next !== null; next = yield* nextOf(rows)) {
      if (typeof next.contact === "string") {
        yield* refuse(next, next.contact)
        continue
      }
      const json = JSON.stringify(next.contact)
      // Every key is counted; a text that has the same characters counts too.
      const rowKeys = json.split('":').length
      const isFull = weight + json.length > maxCallBytes || keys + rowKeys > maxCallKeys
      if (waiting.length === maxImported || isFull) yield* flush
      waiting.push(next)
      weight += json.length
      keys += rowKeys
    }
    yield* flush
    if (counts.refused > maxReported) yield* Console.error(`… and ${counts.refused - maxReported} more: see --errors`)
    return counts
  })

const nextOf = (rows: AsyncGenerator<FileRow>): Effect.Effect<FileRow | null, UnreadableFile> =>
  Effect.tryPromise({
    try: async () => {
      const { done, value } = await rows.next()
      return done === true ? null : value
    },
    catch: (error) =>
      error instanceof UnreadableFile
        ? error
        : new UnreadableFile(error instanceof Error ? error.message : String(error))
  })

/** `email: must be an email address; belongs to another contact (contact 0190…)`. */
const text = (details: { readonly [field: string]: unknown }): string =>
  Object.entries(details)
    .map(([field, message]) => `${field}: ${Array.isArray(message) ? message.join(", ") : String(message)}`)
    .join("; ")

const unfinished = (file: string, failed: CommandFailed | UnreadableFile): CommandFailed => {
  const message =
    failed instanceof UnreadableFile ? `${file} was not imported completely. ${failed.message}` : failed.message
  return new CommandFailed({
    ...(failed instanceof CommandFailed ? failed : {}),
    message: `${message}\n  Correct it and run the import again: contacts that were already imported are not duplicated.`
  })
}

/** An operation on the file of the refused rows. */
const written = <A>(path: string, operation: () => Promise<A>): Effect.Effect<A, CommandFailed> =>
  Effect.tryPromise({
    try: operation,
    catch: (error) =>
      new CommandFailed({
        message: `The refused rows could not be written to ${path}: ${error instanceof Error ? error.message : error}`
      })
  })

import { Effect } from "effect"
import type { AdminClient } from "./AdminClient.js"
import { apiCommand, option } from "./apiCommand.js"
import { CommandFailed } from "./CommandFailed.js"
import { printOne } from "./output.js"
import { type ReportProgress, withProgress } from "./progress.js"
import { idOf, type Kind, pathTo } from "./resource.js"

/** Vendors allow about two calls a second. */
const pause = "500 millis"

/** What was imported so far, as it is printed. */
type Imported = { readonly imported: number; readonly known: number; readonly detail: unknown }

/** Imports from this cursor to the end. */
const importFrom = (
  client: AdminClient,
  report: ReportProgress,
  at: { readonly path: string; readonly id: string },
  cursor: string | null,
  before: Imported
): Effect.Effect<Imported, CommandFailed> =>
  Effect.gen(function* () {
    const step = yield* client.call("POST", at.path, { cursor }).pipe(Effect.mapError(goOnWith(at.id, cursor)))
    const sum = {
      imported: before.imported + Number(step.imported),
      known: before.known + Number(step.known),
      detail: step.detail
    }
    yield* report(`${sum.imported.toLocaleString("en")} messages imported, ${sum.known.toLocaleString("en")} known`)
    if (typeof step.cursor !== "string") return sum
    yield* Effect.sleep(pause)
    return yield* importFrom(client, report, at, step.cursor, sum)
  })

const goOnWith =
  (id: string, cursor: string | null) =>
  (failed: CommandFailed): CommandFailed =>
    cursor === null
      ? failed
      : new CommandFailed({
          ...failed,
          message: `${failed.message}\n  Go on with: parley connection import-history ${id} --cursor ${cursor}`
        })

/** `parley connection import-history <id>` */
export const importHistory = (kind: Kind) =>
  apiCommand(
    "import-history",
    "Import what was written on a connection's account before it was connected, where the vendor offers it; safe to repeat. Example: parley connection import-history <id>",
    { id: idOf(kind), cursor: option("cursor", "Where to go on after an import that stopped, as it printed") },
    ({ cursor, id }, { client, json }) =>
      Effect.gen(function* () {
        const at = { path: `${pathTo(kind, id)}/import-history`, id }
        const none = { imported: 0, known: 0, detail: null }
        yield* printOne(json, yield* withProgress(json, (report) => importFrom(client, report, at, cursor, none)))
      })
  )

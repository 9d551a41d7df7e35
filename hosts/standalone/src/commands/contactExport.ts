import { once } from "node:events"
import type { Writable } from "node:stream"
import { stringify } from "csv-stringify/sync"
import { Effect } from "effect"
import type { AdminClient, Page } from "./AdminClient.js"
import { apiCommand, needed, option, optionalChoice, workspaceOption } from "./apiCommand.js"
import { CommandFailed } from "./CommandFailed.js"
import { cellsOf, exportColumns } from "./contactFiles/columns.js"
import { customFields } from "./contactFiles/customFields.js"
import { formatOf } from "./contactFiles/readContacts.js"
import { withProgress } from "./progress.js"
import { replaceFile } from "./replaceFile.js"
import { resolvePath } from "./resolvePath.js"

export const exportContacts = apiCommand(
  "export",
  "Export a workspace's contacts, newest first, in a format that can be imported. Example: parley contact export --output customers.csv Example: parley contact export --format ndjson",
  {
    format: optionalChoice(
      "format",
      ["csv", "ndjson"],
      "The format (default: by the name of the output file, otherwise csv)"
    ),
    output: option("output", "The output file (default: stdout)"),
    workspace: workspaceOption
  },
  ({ format, output, workspace }, { client, json, target }) =>
    Effect.gen(function* () {
      const workspace_id = yield* needed("workspace", workspace, target)
      const kind = format ?? (output === null ? null : formatOf(output)) ?? "csv"
      const lines = kind === "ndjson" ? ndjson : csv(exportColumns(yield* customFields(client, workspace_id)))
      const exportTo = (stream: Writable) =>
        withProgress(json || output === null, (report) =>
          exportPages(client, workspace_id, lines, stream, (done) => report(`${done.toLocaleString("en")} contacts`))
        )
      yield* output === null ? exportTo(process.stdout) : replaceFile(resolvePath(output), exportTo)
    }).pipe(Effect.catchTag("FileNotWritten", failed))
)

/** A page of contacts in the output format; `null`: the header. */
type Lines = (contacts: Page["rows"] | null) => string

const ndjson: Lines = (contacts) => (contacts ?? []).map((contact) => `${JSON.stringify(contact)}\n`).join("")

const csv =
  (columns: ReadonlyArray<string>): Lines =>
  (contacts) =>
    stringify(contacts === null ? [[...columns]] : contacts.map((contact) => [...cellsOf(contact, columns)]))

const exportPages = (
  client: AdminClient,
  workspace_id: string,
  lines: Lines,
  stream: Writable,
  report: (done: number) => Effect.Effect<void>
): Effect.Effect<void, CommandFailed> =>
  Effect.gen(function* () {
    yield* write(stream, lines(null))
    let done = 0
    let next: Page["next"] = client.list("/contacts", { workspace_id, limit: Number.POSITIVE_INFINITY })
    while (next !== null) {
      const page: Page = yield* next
      yield* write(stream, lines(page.rows))
      done += page.rows.length
      yield* report(done)
      next = page.next
    }
  })

/** Writes, and waits until a slower reader has caught up. */
const write = (stream: Writable, text: string): Effect.Effect<void, CommandFailed> =>
  Effect.tryPromise({
    try: async () => {
      if (stream.errored) throw stream.errored
      if (text !== "" && !stream.write(text)) await once(stream, "drain")
    },
    catch: (error) => failed(error instanceof Error ? error : { message: String(error) })
  })

const failed = ({ message }: { readonly message: string }) =>
  new CommandFailed({ message: `The export failed: ${message}` })

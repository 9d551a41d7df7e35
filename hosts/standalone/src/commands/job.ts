import { Args, Command, Options } from "@effect/cli"
import { lanes } from "@parley/core"
import { Console, Effect, Option } from "effect"
import type { AdminClient, Page } from "./AdminClient.js"
import { apiCommand, choice, limitOption, workspaceFilter } from "./apiCommand.js"
import { CommandFailed } from "./CommandFailed.js"
import { exitCodes } from "./exitCodes.js"
import { type Column, printList, printOne } from "./output.js"
import { type ReportProgress, withProgress } from "./progress.js"
import { act, pathTo, show } from "./resource.js"

const kind = { command: "job", noun: "job", path: "/jobs" }

const failure = (field: "count" | "error" | "lane") => (job: { readonly [field: string]: unknown }) =>
  (job.failure as { readonly [field: string]: unknown } | null)?.[field] ?? null

const columns: ReadonlyArray<Column> = [
  "id",
  "state",
  ["LANE", (job) => failure("lane")(job) ?? job.lane],
  "task",
  "reference_id",
  ["FAILURES", failure("count")],
  "next_run_at",
  ["ERROR", failure("error")]
]

const list = apiCommand(
  "list",
  "List the jobs that failed too often and are parked, by due time, then oldest first; --lane lists another lane of the queue. Example: parley job list Example: parley job list --lane sends --limit 5",
  {
    limit: limitOption,
    lane: choice("lane", lanes, "parked", "Only jobs in this lane of the queue"),
    workspace_id: workspaceFilter
  },
  ({ lane, limit, workspace_id }, { client, json }) =>
    Effect.flatMap(client.list(kind.path, { limit, lane, workspace_id }), (page) => printList(json, page, columns))
)

/** Retries the jobs of this page and the next ones. Returns their number. */
const retryPages = (
  client: AdminClient,
  report: ReportProgress,
  page: Page,
  before: number
): Effect.Effect<number, CommandFailed> =>
  Effect.gen(function* () {
    let retried = before
    for (const { id } of page.rows) {
      const outcome = yield* client.call("POST", `${pathTo(kind, `${id}`)}/retry`).pipe(
        Effect.as(1),
        // Another administrator was faster, or the message of a send failed meanwhile.
        Effect.catchIf(
          ({ refused }) => refused?.code === "invalid_transition" || refused?.code === "not_found",
          () => Effect.succeed(0)
        )
      )
      retried += outcome
      yield* report(`jobs retried: ${retried}`)
    }
    return page.next === null ? retried : yield* retryPages(client, report, yield* page.next, retried)
  })

const retry = apiCommand(
  "retry",
  "Retry a parked job now, or all of them after fixing the cause. Example: parley job retry <id> Example: parley job retry --all",
  {
    id: Args.text({ name: "id" }).pipe(
      Args.withDescription("The job's id, from parley job list"),
      Args.optional,
      Args.map(Option.getOrNull)
    ),
    all: Options.boolean("all").pipe(Options.withDescription("Retry all parked jobs")),
    workspace_id: workspaceFilter
  },
  ({ all, id, workspace_id }, { client, json }) =>
    Effect.gen(function* () {
      if (all === (id !== null)) {
        return yield* new CommandFailed({
          message: "Give the id of a job, or --all: parley job list shows the parked jobs",
          code: exitCodes.misused
        })
      }
      if (id !== null) return yield* printOne(json, yield* client.call("POST", `${pathTo(kind, id)}/retry`))
      const parked = client.list(kind.path, { limit: Number.POSITIVE_INFINITY, lane: "parked", workspace_id })
      const retried = yield* withProgress(json, (report) =>
        Effect.flatMap(parked, (page) => retryPages(client, report, page, 0))
      )
      yield* json
        ? printOne(json, { retried })
        : Console.log(`Jobs retried: ${retried}. Those that fail again are parked again.`)
    })
)

const drop = act(
  kind,
  "drop",
  "Give up a parked job, or a message that waits: the message, webhook delivery, run or file fails. Example: parley job drop <id>",
  { method: "POST", path: "/drop", next: () => "The job ends within a second." }
)

export const job = Command.make("job").pipe(
  Command.withDescription("Work in the queue: jobs that failed too often are parked until they are retried or dropped"),
  Command.withSubcommands([list, show(kind), retry, drop])
)

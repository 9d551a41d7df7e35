import { expect } from "@effect/vitest"
import { Effect } from "effect"
import { callAdmin } from "./calls.js"
import { type Block, commandsOf, pageReader } from "./docsPage.js"
import { receiver } from "./receiver.js"
import { until } from "./until.js"

/** A resource of the admin API. */
export interface Row {
  readonly [field: string]: unknown
}

/** Follows the page about automations: runs its commands, waits for their effects, and receives webhooks. */
export const automator = Effect.gen(function* () {
  const { demo, edit, known, learn, paste } = yield* pageReader(["docs/automations"])
  const { arrivals, url } = yield* receiver
  yield* paste(`parley endpoint add ${url}`)
  const rows = (path: string) => callAdmin(demo, "GET", path) as Effect.Effect<ReadonlyArray<Row>>
  const contactWith = (handle: string) =>
    Effect.map(rows(`/contacts?workspace_id=${demo.workspace_id}&handle=${handle}`), ([contact]) => contact)
  const one = (path: string) => callAdmin(demo, "GET", path) as Effect.Effect<Row>
  const eventually = (what: string, holds: Effect.Effect<boolean>) =>
    until(what, () => Effect.runPromise(Effect.map(holds, (so) => so || undefined)))

  const runs = rows(`/workflow-runs?workspace_id=${demo.workspace_id}&limit=100`)
  const isOver = ({ ended_at }: Row) => ended_at !== null
  const areOver = eventually(
    "the runs are over",
    Effect.map(runs, (all) => all.every(isOver))
  )
  /** Whether a run ended or is at a `wait` action. */
  const isSettled = (run: Row): Effect.Effect<boolean> =>
    isOver(run)
      ? Effect.succeed(true)
      : Effect.map(one(`/workflow-runs/${run.id}`), (shown) => isOver(shown) || (shown.pending as Row)?.type === "wait")
  const settled = eventually(
    "the runs are settled",
    Effect.map(Effect.flatMap(runs, Effect.forEach(isSettled)), (all) => !all.includes(false))
  )

  const messages = Effect.suspend(() => rows(`/messages?contact_id=${known.get("<id of Ada>")}&limit=100`))
  const isAnswered = Effect.map(messages, ([newest]) => newest?.direction === "outbound")
  const botTalks = Effect.suspend(() =>
    known.has("<bot id>") ? rows(`/bots/${known.get("<bot id>")}/sessions?status=active`) : Effect.succeed([])
  ).pipe(Effect.map((sessions) => sessions.length > 0))

  /** Runs a command of the page, waits for its effects, and stores the ids that the page uses later. */
  const follow = (command: string): Effect.Effect<string> =>
    Effect.gen(function* () {
      const asksBot = command.includes("simulate-inbound") && (command.includes('"quote"') || (yield* botTalks))
      const output = yield* paste(command)
      if (command.includes("/api/v1/events")) {
        expect([command, output]).toEqual([command, '{"data":{"workflows_matched":1}}'])
        yield* settled
        yield* learn("<run id>", String((yield* runs)[0]?.id))
      }
      if (asksBot) yield* eventually("the bot has answered", isAnswered)
      const made = /^id +(\S+)/m.exec(output)?.[1]
      if (command.includes("--first-name Ada")) yield* learn("<id of Ada>", made)
      if (command.startsWith("parley team create")) yield* learn("<team id>", made)
      if (command.startsWith("parley bot apply")) yield* learn("<bot id>", /\((\S+)\)/.exec(output)?.[1])
      return output
    })

  /** Runs the commands of a block; returns the output of the last one. */
  const followAll = (block: Block | undefined): Effect.Effect<string> =>
    Effect.map(Effect.forEach(block === undefined ? [] : commandsOf(block), follow), (printed) => printed.at(-1) ?? "")

  /** The received events of a resource, by its field of the event's data, in any order. */
  const reported = (field: string, id: unknown) =>
    arrivals
      .map(({ event }) => event)
      .filter(({ data }) => (data as { readonly [name: string]: Row | undefined })[field]?.id === id)

  return { areOver, contactWith, demo, edit, follow, followAll, known, learn, messages, one, rows, reported }
})
export type Automator = Effect.Effect.Success<typeof automator>

import { readFileSync } from "node:fs"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { callAdmin } from "./calls.js"
import { type Block, blocksOf, commandsOf, readerOf, timeless } from "./readerOfAPage.js"
import { receiver } from "./receiver.js"
import { until } from "./until.js"

const page = blocksOf("docs/automations.md")

interface Row {
  readonly [field: string]: unknown
}

/** Somebody who follows the page, waits for what they read to happen, and has a receiver for webhooks. */
const newReader = Effect.gen(function* () {
  const { demo, edit, known, learn, paste } = yield* readerOf(["docs/automations"])
  const { arrivals, url } = yield* receiver
  yield* paste(`parley endpoint add ${url}`)
  const rows = (path: string) => callAdmin(demo, "GET", path) as Effect.Effect<ReadonlyArray<Row>>
  const runs = rows(`/workflow-runs?workspace_id=${demo.workspace_id}&limit=100`)
  const isOver = ({ ended_at }: Row) => ended_at !== null
  const rests = (run: Row) =>
    isOver(run)
      ? Effect.succeed(true)
      : Effect.map(callAdmin(demo, "GET", `/workflow-runs/${run.id}`), (shown) => {
          const { pending } = shown as { readonly pending: Row | null }
          return pending?.type === "wait"
        })

  /** Until each run is over, or waits because its workflow says so. */
  const runsRest = until("the runs rest", () =>
    Effect.runPromise(
      Effect.map(Effect.flatMap(runs, Effect.forEach(rests)), (all) => all.every((one) => one) || undefined)
    )
  )
  const lastMessage = Effect.map(rows(`/messages?contact_id=${known.get("<contact id>")}&limit=1`), ([one]) => one)

  /** Runs a command of the page, waits for what comes of it, and keeps the ids that it is about. */
  const follow = (command: string): Effect.Effect<string> =>
    Effect.gen(function* () {
      const talks = known.has("<bot id>") && (yield* rows(`/bots/${known.get("<bot id>")}/sessions?status=active`))
      const output = yield* paste(command)
      if (/^curl .*\/events/.test(command)) {
        expect(output).toMatch(/^\{"data":\{"workflows_matched":1\}\}/)
        yield* runsRest
        const [newest] = yield* runs
        yield* learn("<run id>", String(newest?.id))
      }
      if (command.includes("simulate-inbound") && talks !== false && talks.length > 0) {
        const { contact_id } = JSON.parse(yield* paste("parley message list --limit 1 --json"))
        yield* learn("<contact id>", contact_id)
        yield* until("the bot has answered", () =>
          Effect.runPromise(Effect.map(lastMessageOf(contact_id), (direction) => direction === "outbound" || undefined))
        )
      }
      if (/^parley (contact|team) create/.test(command)) {
        yield* learn(command.includes("team") ? "<team id>" : "<contact id>", /^id +(\S+)/m.exec(output)?.[1])
      }
      if (command.startsWith("parley bot apply")) yield* learn("<bot id>", /\((\S+)\)/.exec(output)?.[1])
      return output
    })
  return { arrivals, demo, edit, follow, known, lastMessage, rows, runs }
})

import { Console, Effect, Ref } from "effect"
import type { AdminClient, Page, Resource } from "./AdminClient.js"
import type { CommandFailed } from "./CommandFailed.js"
import { following, isPast, newSince, reaching, tailSince } from "./LogTail.js"

/** How long to wait between two looks. */
const pause = "2 seconds"
/** The most lines that are read at a look; more than these pass by. */
const mostPerLook = 1_000
const perPage = 100

/**
 * Shows the last `limit` lines of a log and then each new one, oldest first, until it is interrupted. A Parley that does not
 * answer for a while is waited for. Each look tells how far the log had come by `newest`, what the newest line is whatever is
 * followed, so that rare lines are not looked for in all that was looked through before.
 */
export const followLog = (
  client: AdminClient,
  path: string,
  { limit, ...filters }: { readonly [filter: string]: string | number | null } & { readonly limit: number },
  newest: { readonly [filter: string]: string | null },
  show: (line: Resource) => Effect.Effect<void>
): Effect.Effect<never, CommandFailed> =>
  Effect.gen(function* () {
    const reached = Effect.map(client.list(path, { ...newest, limit: 1 }), ({ rows: [line] }) =>
      line === undefined ? 0 : Date.parse(String(line.created_at))
    )
    // Before the lines are read: of those that come meanwhile, none is past.
    const beginning = yield* reached
    const first = yield* client.list(path, { ...filters, limit: Math.min(Math.max(limit, perPage), mostPerLook) })
    const before = yield* readUntil(first, () => false)
    const oldest = before.hasMore ? Date.parse(String(before.rows.at(-1)?.created_at)) : 0
    const begun = following(tailSince(oldest), before.rows)
    yield* Effect.forEach(begun.lines.slice(-limit), show, { discard: true })
    const tail = yield* Ref.make(reaching(begun.tail, beginning))
    const silent = yield* Ref.make(false)

    const look = Effect.gen(function* () {
      const known = yield* Ref.get(tail)
      const head = yield* reached
      const since = new Date(newSince(known)).toISOString()
      const page = yield* client.list(path, { ...filters, since, limit: mostPerLook })
      const read = yield* readUntil(page, (line) => isPast(known, line))
      if (yield* Ref.getAndSet(silent, false)) yield* Console.error("Parley answers again.")
      const next = following(known, read.rows)
      yield* Ref.set(tail, reaching(next.tail, head))
      if (read.hasMore) {
        yield* Console.error("… some lines passed by too fast: narrow them down with --app, --status or --method")
      }
      yield* Effect.forEach(next.lines, show, { discard: true })
    }).pipe(
      Effect.catchAll(({ message }) =>
        Effect.flatMap(Ref.getAndSet(silent, true), (already) =>
          already ? Effect.void : Console.error(`${message}\nWaiting until it answers again; Ctrl-C ends this.`)
        )
      )
    )
    return yield* Effect.forever(Effect.zipRight(Effect.sleep(pause), look))
  })

/** Reads on until a row is `past`. `hasMore`: there are further rows that were not read, and none was. */
const readUntil = (
  page: Page,
  past: (row: Resource) => boolean
): Effect.Effect<Pick<Page, "rows" | "hasMore">, CommandFailed> => {
  const { hasMore, next, rows } = page
  if (rows.some(past)) return Effect.succeed({ rows, hasMore: false })
  if (next === null) return Effect.succeed({ rows, hasMore })
  return Effect.map(
    Effect.flatMap(next, (further) => readUntil(further, past)),
    (rest) => ({ rows: [...rows, ...rest.rows], hasMore: rest.hasMore })
  )
}

import { Console, Effect, Ref } from "effect"
import type { AdminClient, Page, Resource } from "./AdminClient.js"
import type { CommandFailed } from "./CommandFailed.js"
import { runsAs } from "./CommandLifetime.js"
import { following, isPast, newSince, reaching, tailSince } from "./LogTail.js"

/** The polling interval. */
const pause = "2 seconds"
/** The maximum number of lines read in one poll; further lines are skipped. */
const maxPerPoll = 1_000
const perPage = 100

/**
 * Shows the last `limit` lines of a log and then each new one, oldest first, until it is interrupted. Retries while the
 * server does not answer. `newest` returns the newest line regardless of the filter: it limits how far back each poll
 * reads, so that polls for rare lines do not read the whole log again.
 */
export const followLog = (
  client: AdminClient,
  path: string,
  { limit, ...filters }: { readonly [filter: string]: string | number | null } & { readonly limit: number },
  newest: { readonly [filter: string]: string | null },
  show: (line: Resource) => Effect.Effect<void>
): Effect.Effect<never, CommandFailed> =>
  Effect.gen(function* () {
    yield* runsAs("follow")
    const reached = Effect.map(client.list(path, { ...newest, limit: 1 }), ({ rows: [line] }) =>
      line === undefined ? 0 : Date.parse(String(line.created_at))
    )
    // Read first, so that lines written meanwhile are not skipped.
    const beginning = yield* reached
    const first = yield* client.list(path, { ...filters, limit: Math.min(Math.max(limit, perPage), maxPerPoll) })
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
      const page = yield* client.list(path, { ...filters, since, limit: maxPerPoll })
      const read = yield* readUntil(page, (line) => isPast(known, line))
      if (yield* Ref.getAndSet(silent, false)) yield* Console.error("Parley answers again.")
      const next = following(known, read.rows)
      yield* Ref.set(tail, reaching(next.tail, head))
      if (read.hasMore) {
        yield* Console.error("… some lines were skipped: narrow them down with --app, --status or --method")
      }
      yield* Effect.forEach(next.lines, show, { discard: true })
    }).pipe(
      Effect.catchAll(({ message }) =>
        Effect.flatMap(Ref.getAndSet(silent, true), (already) =>
          already ? Effect.void : Console.error(`${message}\nRetrying until it answers; Ctrl-C stops.`)
        )
      )
    )
    return yield* Effect.forever(Effect.zipRight(Effect.sleep(pause), look))
  })

/** Reads until a row is `past`. `hasMore`: the limit was reached before such a row. */
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

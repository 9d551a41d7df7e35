import { Clock, Effect } from "effect"

/** Where progress is told: stderr, as far as it matters here. */
export interface ProgressStream {
  readonly isTTY?: boolean
  /** How many characters a line has, where it is a terminal. */
  readonly columns?: number
  readonly write: (text: string) => unknown
}

/** Says how far the work has come, in a line: "1,200 of 5,000 rows". Call it as often as you like. */
export type Tell = (line: string) => Effect.Effect<void>

/** How often a line is shown at the most, in ms: where it is overwritten in place, and where each stays in a log. */
const pauseMs = { terminal: 100, log: 5_000 }

/**
 * Long work that tells how far it has come, on stderr: a terminal has one line that is overwritten, and that is gone when the
 * work ends; a log gets a line every few seconds, and the last one. Nothing where `quiet`, for programs.
 *
 * @example
 * withProgress(json, (tell) =>
 *   Effect.forEach(slices, (slice, index) => Effect.zipRight(tell(`${index} of ${slices.length}`), work(slice)))
 * )
 */
export const withProgress = <A, E, R>(
  quiet: boolean,
  work: (tell: Tell) => Effect.Effect<A, E, R>,
  stream: ProgressStream = process.stderr
): Effect.Effect<A, E, R> => {
  if (quiet) return work(() => Effect.void)
  const terminal = stream.isTTY === true
  let shownAt: number | null = null
  let unshown: string | null = null
  const tell: Tell = (line) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      unshown = line
      if (shownAt !== null && now - shownAt < (terminal ? pauseMs.terminal : pauseMs.log)) return
      shownAt = now
      unshown = null
      stream.write(terminal ? `\r\u001b[K${line.slice(0, (stream.columns ?? 80) - 1)}` : `${line}\n`)
    })
  const ended = Effect.sync(() => {
    if (terminal && shownAt !== null) stream.write("\r\u001b[K")
    if (!terminal && unshown !== null) stream.write(`${unshown}\n`)
  })
  return Effect.ensuring(work(tell), ended)
}

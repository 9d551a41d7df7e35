import { Clock, Effect } from "effect"

/** The stream for progress: the parts of stderr that are used. */
export interface ProgressStream {
  readonly isTTY?: boolean
  /** The width of the terminal in characters; undefined without a terminal. */
  readonly columns?: number
  readonly write: (text: string) => unknown
}

/** Reports the progress in one line: "1,200 of 5,000 rows". It may be called at any rate. */
export type ReportProgress = (line: string) => Effect.Effect<void>

/** The minimum interval between shown lines, in ms: for a terminal, where the line is overwritten, and for a log. */
const pauseMs = { terminal: 100, log: 5_000 }

/**
 * Long work that tells how far it has come, on stderr: a terminal has one line that is overwritten, and that is gone
 * when the work ends; a log gets a line every few seconds, and the last one. Nothing where `quiet`, for programs.
 *
 * @example
 * withProgress(json, (tell) =>
 *   Effect.forEach(slices, (slice, index) => Effect.zipRight(tell(`${index} of ${slices.length}`), work(slice)))
 * )
 */
export const withProgress = <A, E, R>(
  quiet: boolean,
  work: (report: ReportProgress) => Effect.Effect<A, E, R>,
  stream: ProgressStream = process.stderr
): Effect.Effect<A, E, R> => {
  if (quiet) return work(() => Effect.void)
  const terminal = stream.isTTY === true
  let shownAt: number | null = null
  let unshown: string | null = null
  const tell: ReportProgress = (line) =>
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

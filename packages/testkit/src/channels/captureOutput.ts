import { inspect } from "node:util"
import { Cause, Effect, Exit, HashMap, Logger, LogLevel, type Tracer } from "effect"

/**
 * All observable output of an effect: its result or failure with all nested values, its log lines at any level, and its
 * spans.
 */
export const captureOutput = (effect: Effect.Effect<unknown, unknown>): Effect.Effect<string> =>
  Effect.gen(function* () {
    const lines: Array<string> = []
    const spans: Array<Tracer.Span> = []
    const tracer = yield* Effect.tracer
    const listening: Tracer.Tracer = {
      ...tracer,
      span: (...made) => {
        const span = tracer.span(...made)
        spans.push(span)
        return span
      }
    }
    const logger = Logger.make(({ annotations, cause, message }) => {
      lines.push(whole(message), text(cause), whole(HashMap.toEntries(annotations)))
    })
    const exit = yield* Effect.exit(effect).pipe(
      Effect.withTracer(listening),
      Effect.provide(Logger.replace(Logger.defaultLogger, logger)),
      Logger.withMinimumLogLevel(LogLevel.All)
    )
    return [whole(exit), ...lines, ...spans.map(exported)].join("\n")
  })

/** The exported part of a span: without its success value. */
const exported = ({ attributes, name, status }: Tracer.Span): string => {
  const failure = status._tag === "Ended" && Exit.isFailure(status.exit) ? text(status.exit.cause) : ""
  return [whole([name, ...attributes]), failure].join("\n")
}

const text = (cause: Cause.Cause<unknown>): string => Cause.pretty(cause, { renderErrorCause: true })

const whole = (value: unknown): string =>
  inspect(value, { depth: 12, maxArrayLength: null, maxStringLength: null, breakLength: Number.POSITIVE_INFINITY })

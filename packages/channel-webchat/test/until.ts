import { Effect, Schedule } from "effect"

/** Polls until `look` returns a value; dies after one minute. */
export const until = <A>(what: string, look: () => A | undefined | Promise<A | undefined>): Effect.Effect<A> =>
  Effect.promise(async () => look()).pipe(
    Effect.filterOrFail(
      (found) => found !== undefined,
      () => new Error(`not within a minute: ${what}`)
    ),
    Effect.retry(Schedule.intersect(Schedule.spaced(50), Schedule.recurs(1_200))),
    Effect.orDie
  ) as Effect.Effect<A>

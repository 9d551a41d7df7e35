import { Effect, Schedule } from "effect"

/**
 * The first value that `look` finds, looking now and then; dies after some minutes, however slow the machine is. The
 * error ends with what `state` returns.
 */
export const until = <A>(
  what: string,
  look: () => A | undefined | Promise<A | undefined>,
  state: () => string | Promise<string> = () => ""
): Effect.Effect<A> =>
  Effect.promise(async () => look()).pipe(
    Effect.flatMap((found) => (found === undefined ? Effect.fail("not yet") : Effect.succeed(found))),
    Effect.retry(Schedule.intersect(Schedule.spaced(50), Schedule.recurs(4_800))),
    Effect.catchAll(() =>
      Effect.flatMap(
        Effect.promise(async () => state()),
        (last) => Effect.die(new Error(`not within four minutes: ${what}. ${last}`))
      )
    )
  )

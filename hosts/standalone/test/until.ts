import { Effect, Schedule } from "effect"

/** The first value that `look` finds, looking now and then; dies after some minutes, however slow the machine is. */
export const until = <A>(what: string, look: () => A | undefined | Promise<A | undefined>): Effect.Effect<A> =>
  Effect.promise(async () => look()).pipe(
    Effect.flatMap((found) =>
      found === undefined ? Effect.fail(new Error(`not within four minutes: ${what}`)) : Effect.succeed(found)
    ),
    Effect.retry(Schedule.intersect(Schedule.spaced(50), Schedule.recurs(4_800))),
    Effect.orDie
  )

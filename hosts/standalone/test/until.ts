import { Effect, Schedule } from "effect"

/** The first value that `look` finds, looking now and then; dies after a minute or two, however slow the machine is. */
export const until = <A>(what: string, look: () => A | undefined | Promise<A | undefined>): Effect.Effect<A> =>
  Effect.promise(async () => look()).pipe(
    Effect.filterOrFail(
      (found): found is Awaited<A> & {} => found !== undefined,
      () => new Error(`not within two minutes: ${what}`)
    ),
    Effect.retry({ schedule: Schedule.spaced(50), times: 2_400 }),
    Effect.orDie
  ) as Effect.Effect<A>

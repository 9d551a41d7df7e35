import { type Duration, Effect, type Scope } from "effect"

/** Tells the terminal now and then how far something long is, while the scope lives. */
export const reportEvery = (
  pause: Duration.DurationInput,
  name: string,
  progress: () => string
): Effect.Effect<void, never, Scope.Scope> => {
  const report = Effect.sync(() => process.stderr.write(`${name}: ${progress()}\n`))
  return Effect.asVoid(Effect.forkScoped(Effect.forever(Effect.zipRight(Effect.sleep(pause), report))))
}

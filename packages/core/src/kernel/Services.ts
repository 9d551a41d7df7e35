import { Context, Effect } from "effect"

interface Step {
  readonly tag: Context.Tag<unknown, unknown>
  readonly make: Effect.Effect<unknown>
}

/**
 * Services that are made one after the other, each of which may use those before it. A layer for each of them costs
 * several times the CPU at the start and the end of an engine.
 *
 * @example
 * ```ts
 * const layer = Layer.scopedContext(
 *   Services.none
 *     .add(Decider.Decider, Decider.make)
 *     .add(Leads.Leads, Leads.make)
 *     .made
 * )
 * ```
 */
export class Services<Made, Needs> {
  static readonly none = new Services<never, never>([])

  private constructor(private readonly steps: ReadonlyArray<Step>) {}

  add<I, S, N>(tag: Context.Tag<I, S>, make: Effect.Effect<S, never, N>): Services<Made | I, Needs | Exclude<N, Made>> {
    return new Services([...this.steps, { tag, make } as Step])
  }

  /** The services that were added, and no others. */
  get made(): Effect.Effect<Context.Context<Made>, never, Needs> {
    return Effect.contextWithEffect((given: Context.Context<Needs>) => {
      // One context that grows: with one for each service, a start took 23 % more CPU (Node 26: 62 %). Effect keeps
      // the present context if the new one has equal entries, so this one has an entry of its own.
      const services = new Map<string, unknown>([...given.unsafeMap, ["@parley/core/Services", this]])
      const context: Context.Context<unknown> = Context.unsafeMake(services)
      const makeAll = Effect.forEach(
        this.steps,
        ({ tag, make }) => Effect.map(make, (service) => services.set(tag.key, service)),
        { discard: true }
      )
      const made = Effect.map(makeAll, () => Context.pick(...this.steps.map(({ tag }) => tag))(context))
      return Effect.mapInputContext(made, () => context) as Effect.Effect<Context.Context<Made>>
    })
  }
}

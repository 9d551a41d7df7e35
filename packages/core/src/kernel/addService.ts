import { Context, Effect } from "effect"

/**
 * Adds a service to those that were made before it, and that it may use. The services of an engine are made in one
 * effect: a layer for each of them costs several times the CPU at the start and the end of an engine.
 *
 * @example
 * ```ts
 * const services = Effect.succeed(Context.empty()).pipe(
 *   addService(Decider.Decider, Decider.make),
 *   addService(Leads.Leads, Leads.make)
 * )
 * const layer = Layer.scopedContext(services)
 * ```
 */
export const addService =
  <I, S, Needs>(tag: Context.Tag<I, S>, make: Effect.Effect<S, never, Needs>) =>
  <Made, R>(
    services: Effect.Effect<Context.Context<Made>, never, R>
  ): Effect.Effect<Context.Context<Made | I>, never, R | Exclude<Needs, Made>> =>
    Effect.flatMap(services, (made) =>
      Effect.map(Effect.provide(make, made), (service) => Context.add(made, tag, service))
    )
